// What went wrong for people who read files of others, each reduced to the smallest file with the right answer. The number and the source
// name the public report; those of numbers are in tests/sweeps/field_reports_test.cpp.
#include <QtTest>
#include <fstream>

#include "core/io/import.h"
#include "core/layout/layout.h"
#include "core/ops/expand.h"
#include "core/spmd/partition.h"
#include "tests/support/onnx_bytes.h"
#include "tests/support/run_graph.h"

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
  void prefixSumsGoOnFromShardToShard();
  void groupsAndBatchesOfConvolutionsMoveNothing_data();
  void groupsAndBatchesOfConvolutionsMoveNothing();
  void expertsAreCountedAndShared();
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

// 19 jax#21403: the sums of a second shard go on where the first one's end.
void FieldReportsTest::prefixSumsGoOnFromShardToShard() {
  tests::onnx::Graph graph;
  graph.inputs = {valueInfo("x", floatType, {"8", "1024"})};
  graph.initializers = {tensor("axis", {}, integerType, integers({1}))};
  graph.nodes = {node("CumSum", {"x", "axis"}, {"y"})};
  graph.outputs = {valueInfo("y", floatType, {"8", "1024"})};
  const core::Graph made = *imported(model(graph)).graph;
  const TensorId x = made.inputs().at(0);
  const std::string along = made[made[x].shape.at(1)].name;
  const tests::GraphRun run = tests::runGraph(made, Layout::of(along + ":s"), Mesh::of("s:2"), {{x, {{8, 1024}, std::vector<double>(8 * 1024, 1.0)}}});
  QVERIFY2(run.wrong.empty(), run.wrong.empty() ? "" : run.wrong[0].c_str());
  for (std::size_t i = 0; i < run.outputs.at(0).values.size(); ++i) QCOMPARE(run.outputs[0].values[i], static_cast<double>(i % 1024 + 1));
}

// 26 openxla#47945: a convolution in groups split by its batch fetches nothing, as one without groups.
void FieldReportsTest::groupsAndBatchesOfConvolutionsMoveNothing_data() {
  QTest::addColumn<int>("groups");
  for (int groups : {1, 2, 8}) QTest::addRow("%d groups", groups) << groups;
}

void FieldReportsTest::groupsAndBatchesOfConvolutionsMoveNothing() {
  QFETCH(int, groups);
  tests::onnx::Graph graph;
  graph.inputs = {valueInfo("x", floatType, {"n", "8", "6", "6"})};
  graph.initializers = {tensor("c.w", {8, 8 / groups, 3, 3}, floatType, floats(std::vector<float>(static_cast<std::size_t>(8 * 8 / groups * 9), 1)))};
  graph.nodes = {node("Conv", {"x", "c.w"}, {"y"}) + bytes(5, bytes(1, "group") + number(3, static_cast<std::uint64_t>(groups)) + number(20, 2))};
  graph.outputs = {valueInfo("y", floatType, {"n", "8", "4", "4"})};
  QTemporaryDir folder;
  const std::string path = folder.filePath("model.onnx").toStdString();
  std::ofstream(path, std::ios::binary) << model(graph);
  const Import found = importModel(path, {.dims = {{"n", 8}}});
  QVERIFY(found.report.unknown.empty());
  const std::string batch = (*found.graph)[(*found.graph)[found.graph->inputs().at(0)].shape.at(0)].name;
  const Program program = partition(*found.graph, Layout::of(batch + ":d"), Mesh::of("d:8"), {}).program;
  QCOMPARE(tests::collectives(program), 0);
  QVERIFY(!program.buffers[program.outputs.at(0).index()].placement.sharding.isReplicated());
}

// 35 vllm-fit#27: every expert of every layer counts, and experts over eight devices share what is theirs.
void FieldReportsTest::expertsAreCountedAndShared() {
  const std::string path = std::string(MESHWRIGHT_SOURCE) + "/tests/data/config/published/mistralai--Mixtral-8x7B-v0.1.config.json";
  const Import found = importModel(path, {.dims = {{"batch", 1}, {"seq", 8}}});
  QCOMPARE(found.report.parameters, std::int64_t{46'702'792'704});
  const Program program = partition(expand(*found.graph), Layout::of("experts:e"), Mesh::of("e:8"), {}).program;
  std::int64_t elements = 0;
  for (const Buffer& buffer : program.buffers)
    if (buffer.persistent && buffer.memoryClass == MemoryClass::parameters) elements += buffer.bytes / byteSize(buffer.dtype);
  QCOMPARE(elements, std::int64_t{7'241'863'168});
}

QTEST_GUILESS_MAIN(FieldReportsTest)
#include "field_reports_test.moc"
