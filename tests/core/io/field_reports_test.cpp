// What went wrong for people who read files of others, each reduced to the smallest file with the right answer. The number and the source
// name the public report; those of numbers are in tests/sweeps/field_reports_test.cpp.
#include <QtTest>
#include <fstream>

#include "core/io/import.h"
#include "core/layout/layout.h"
#include "tests/support/onnx_bytes.h"

using namespace core;
using namespace tests::onnx;

namespace {

constexpr int floatType = 1, integerType = 7;

std::string integerList(const std::string& name, const std::vector<std::int64_t>& values) {
  std::string attribute = bytes(1, name) + number(20, 7);
  for (std::int64_t value : values) attribute += number(8, static_cast<std::uint64_t>(value));
  return bytes(5, attribute);
}

Import imported(const std::string& model) {
  QTemporaryDir folder;
  const std::string path = folder.filePath("model.onnx").toStdString();
  std::ofstream(path, std::ios::binary) << model;
  return importModel(path, {});
}

// "a b 6": names where a dimension has no size, else sizes.
QString shapeOf(const core::Graph& graph, TensorId tensor) {
  std::string text;
  for (DimId dim : graph[tensor].shape) text += (text.empty() ? "" : " ") + (graph.size(dim) > 0 ? std::to_string(graph.size(dim)) : graph[dim].name);
  return QString::fromStdString(text);
}

}  // namespace

class FieldReportsTest : public QObject {
  Q_OBJECT
 private slots:
  void aReshapeKeepsSymbols_data();
  void aReshapeKeepsSymbols();
  void axesAreAnAttributeOrAnInput_data();
  void axesAreAnAttributeOrAnInput();
  void oneTensorHasOneLayout();
  void aComputedShapeHasARank();
};

// 43 onnx#3785: ("a", "b", 2, 3) to ("a", "b", -1) and to ("a", -1, 6) are both ("a", "b", 6): the last is kept factored, as 2 and 3.
void FieldReportsTest::aReshapeKeepsSymbols_data() {
  QTest::addColumn<QList<qint64>>("shape");
  QTest::newRow("the last is open") << QList<qint64>{0, 0, -1};
  QTest::newRow("a symbol is open") << QList<qint64>{0, -1, 6};
}

void FieldReportsTest::aReshapeKeepsSymbols() {
  QFETCH(QList<qint64>, shape);
  tests::onnx::Graph graph;
  graph.inputs = {valueInfo("x", floatType, {"a", "b", "2", "3"})};
  graph.initializers = {tensor("shape", {3}, integerType, integers({shape.begin(), shape.end()}))};
  graph.nodes = {node("Reshape", {"x", "shape"}, {"y"}), node("Relu", {"y"}, {"z"})};
  graph.outputs = {valueInfo("z", floatType, {"a", "b", "6"})};
  const Import found = imported(model(graph));
  QCOMPARE(shapeOf(*found.graph, found.graph->outputs.at(0)), QStringLiteral("a b 2 3"));
}

// 47 gonnx#214: axes of Unsqueeze and Squeeze are an attribute up to opset 12 and an input from 13 on.
void FieldReportsTest::axesAreAnAttributeOrAnInput_data() {
  QTest::addColumn<QString>("kind");
  QTest::addColumn<int>("opset");
  for (const char* kind : {"Unsqueeze", "Squeeze", "ReduceSum"})
    for (int opset : {11, 13}) QTest::addRow("%s of opset %d", kind, opset) << kind << opset;
}

void FieldReportsTest::axesAreAnAttributeOrAnInput() {
  QFETCH(QString, kind);
  QFETCH(int, opset);
  const bool squeezes = kind == "Squeeze";
  tests::onnx::Graph graph;
  graph.inputs = {valueInfo("x", floatType, squeezes ? std::vector<std::string>{"4", "1", "6"} : std::vector<std::string>{"4", "6"})};
  std::vector<std::string> operands{"x"};
  if (opset >= 13) {
    graph.initializers = {tensor("axes", {1}, integerType, integers({1}))};
    operands.push_back("axes");
  }
  graph.nodes = {node(kind.toStdString(), operands, {"y"}) + (opset < 13 ? integerList("axes", {1}) : "")};
  graph.outputs = {valueInfo("y", floatType, squeezes ? std::vector<std::string>{"4", "6"} : std::vector<std::string>{"4", "1", "6"})};
  if (kind == "ReduceSum") graph.outputs = {valueInfo("y", floatType, {"4", "1"})};
  const Import found = imported(model(graph, opset));
  QCOMPARE(shapeOf(*found.graph, found.graph->outputs.at(0)), QString(kind == "ReduceSum" ? "4" : "4 6"));  // an axis of size 1 carries no dimension
}

// 31 alpa#936: two layouts of one tensor are refused, whoever wrote them.
void FieldReportsTest::oneTensorHasOneLayout() {
  tests::onnx::Graph graph;
  graph.inputs = {valueInfo("x", floatType, {"4", "6"})};
  graph.initializers = {tensor("table", {6, 6}, floatType, floats(std::vector<float>(36, 1)))};
  graph.nodes = {node("MatMul", {"x", "table"}, {"h"}), node("MatMul", {"h", "table"}, {"y"})};
  graph.outputs = {valueInfo("y", floatType, {"4", "6"})};
  const Import found = imported(model(graph));
  const core::Graph& made = *found.graph;
  const std::string first = made[made[*made.findTensor("table")].shape[0]].name;
  Layout layout;
  layout.pins = {{"table", {{first, {"m"}}}}, {"table", {}}};
  const auto problems = check(layout, made, Mesh::of("m:2"));
  QVERIFY(hasErrors(problems));
  QVERIFY2(problems[0].text().find("table") != std::string::npos, problems[0].text().c_str());
}

// 46 onnx#6253: a Reshape by a computed shape of three numbers has rank 3, its sizes open; and what follows knows that.
void FieldReportsTest::aComputedShapeHasARank() {
  tests::onnx::Graph graph;
  graph.inputs = {valueInfo("x", floatType, {"4", "6"}), valueInfo("shape", integerType, {"3"})};
  graph.nodes = {node("Reshape", {"x", "shape"}, {"y"}), node("Relu", {"y"}, {"z"})};
  graph.outputs = {valueInfo("z", floatType, {"p", "q", "r"})};
  const Import found = imported(model(graph));
  const core::Graph& made = *found.graph;
  const Shape& shape = made[made.outputs.at(0)].shape;
  QCOMPARE(shape.size(), std::size_t{3});
  for (DimId dim : shape) QCOMPARE(made.size(dim), std::int64_t{0});
  QCOMPARE(found.report.unknown.size(), std::size_t{1});
  QCOMPARE(found.report.unknown[0].reason, std::string("data decide its sizes or its axes"));
}

QTEST_GUILESS_MAIN(FieldReportsTest)
#include "field_reports_test.moc"
