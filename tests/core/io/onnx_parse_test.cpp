#include "core/io/onnx_parse.h"

#include <QTemporaryDir>
#include <QtTest>
#include <fstream>

#include "core/base/error.h"
#include "core/io/import.h"
#include "tests/support/onnx_bytes.h"

using core::Error;
using core::FileSource;
using core::Import;
using core::importModel;
using namespace tests::onnx;

class OnnxParseTest : public QObject {
  Q_OBJECT
 private slots:
  void readsWeightsBesideTheModel();
  void saysWhichFileIsMissing();
  void readsNothingOutsideItsFolder();
  void inlinesFunctions();
  void ordersNodes();
  void readsNewerOpsetsAsFarAsKnown();
  void makesUnknownOperatorsOpaque();
  void takesStrippedWeightsAsMissing();
  void saysWhatAnOperatorLacks();
  void leavesWhatDataDecideToWhoRuns();
  void readsFromTheEndOfAnOpenAxisOnlyWhenItIsBound();
  void refuses_data();
  void refuses();

 private:
  QTemporaryDir folder_;
  std::string write(const std::string& name, const std::string& text) {
    std::string path = folder_.filePath(QString::fromStdString(name)).toStdString();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  Import import(const std::string& text) { return importModel(write("model.onnx", text), {}); }
};

namespace {

const std::string x = valueInfo("x", 1, {"4", "3"}), y = valueInfo("y", 1, {"4", "2"});

Graph product(const std::string& weight) { return {.nodes = {node("MatMul", {"x", "w.weight"}, {"y"}, "fc")}, .initializers = {weight}, .inputs = {x}, .outputs = {y}}; }

}  // namespace

void OnnxParseTest::readsWeightsBesideTheModel() {
  std::string side = write("weights.bin", std::string(8, '\0') + floats({1, 2, 3, 4, 5, 6}));
  Import found = import(model(product(externalTensor("w.weight", {3, 2}, 1, "weights.bin", 8, 24))));
  const auto& source = std::get<FileSource>((*found.graph)[found.graph->findTensor("w.weight").value()].source);
  QCOMPARE(source.path, side);
  QCOMPARE(source.offset, std::int64_t(8));
  QCOMPARE(source.fileBytes, std::int64_t(32));
  QVERIFY(found.report.missing.empty());
}

void OnnxParseTest::saysWhichFileIsMissing() {
  Import found = import(model(product(externalTensor("w.weight", {3, 2}, 1, "gone.bin", 0, 24))));
  QCOMPARE(found.report.missing.size(), std::size_t(1));
  QCOMPARE(found.report.missing[0].tensor, std::string("w.weight"));
  QVERIFY(found.report.missing[0].file.ends_with("gone.bin"));
}

void OnnxParseTest::readsNothingOutsideItsFolder() {
  for (const char* location : {"../secret", "/etc/passwd", "a/../../secret", ""}) QVERIFY_EXCEPTION_THROWN(import(model(product(externalTensor("w.weight", {3, 2}, 1, location, 0, 24)))), Error);
}

// twice(a) = a + a, called on x
void OnnxParseTest::inlinesFunctions() {
  std::string function = bytes(1, "twice") + bytes(4, "a") + bytes(5, "b") + bytes(7, node("Add", {"a", "a"}, {"b"}, "sum")) + bytes(9, number(2, 17)) + bytes(10, "local");
  Graph graph{.nodes = {node("twice", {"x"}, {"h"}, "call", "local"), node("Relu", {"h"}, {"y"})}, .initializers = {}, .inputs = {x}, .outputs = {valueInfo("y", 1, {"4", "3"})}};
  Import found = import(model(graph, 17, {function}));
  QCOMPARE(found.graph->operators.size(), std::size_t(2));
  QCOMPARE(found.graph->operators[0].name, std::string("call/sum"));
  QVERIFY(found.report.unknown.empty());
}

void OnnxParseTest::ordersNodes() {
  Graph graph{.nodes = {node("Relu", {"h"}, {"y"}, "second"), node("Neg", {"x"}, {"h"}, "first")}, .initializers = {}, .inputs = {x}, .outputs = {valueInfo("y", 1, {"4", "3"})}};
  Import found = import(model(graph));
  QCOMPARE(found.graph->operators[0].kind, std::string("negate"));
}

void OnnxParseTest::readsNewerOpsetsAsFarAsKnown() {
  Import found = import(model(product(tensor("w.weight", {3, 2}, 1, floats({1, 2, 3, 4, 5, 6}))), 99));
  QVERIFY(std::any_of(found.report.notes.begin(), found.report.notes.end(), [](const std::string& note) { return note.find("99") != std::string::npos; }));
}

void OnnxParseTest::makesUnknownOperatorsOpaque() {
  Graph graph{.nodes = {node("Frobnicate", {"x"}, {"y"}, "f", "com.example")}, .initializers = {}, .inputs = {x}, .outputs = {y}};
  Import found = import(model(graph));
  QCOMPARE(found.graph->operators.at(0).kind, std::string("opaque"));
  QCOMPARE(found.report.unknown.at(0).type, std::string("Frobnicate"));
}

void OnnxParseTest::takesStrippedWeightsAsMissing() {
  Import found = import(model(product(tensor("w.weight", {3, 2}, 1, ""))));
  QCOMPARE(found.report.missing.size(), std::size_t(1));
  QCOMPARE(found.report.parameters, std::int64_t(6));
}

void OnnxParseTest::saysWhatAnOperatorLacks() {
  Graph graph{.nodes = {node("Add", {"x"}, {"y"}, "one")}, .initializers = {}, .inputs = {x}, .outputs = {valueInfo("y", 1, {"4", "3"})}};
  Import found = import(model(graph));
  QCOMPARE(found.report.unknown.at(0).type, std::string("Add"));
  QVERIFY2(found.report.unknown[0].reason.find("fewer inputs") != std::string::npos, found.report.unknown[0].reason.c_str());
}

// A graph input as padding value is no constant.
void OnnxParseTest::leavesWhatDataDecideToWhoRuns() {
  Graph graph{.nodes = {node("Pad", {"x", "pads", "value"}, {"y"}, "pad")}, .initializers = {tensor("pads", {4}, 7, integers({0, 1, 0, 1}))}, .inputs = {x, valueInfo("value", 1, {})}, .outputs = {valueInfo("y", 1, {"4", "5"})}};
  QCOMPARE(import(model(graph)).report.unknown.size(), std::size_t(1));
}

// x[-1] of n elements: which one that is depends on n.
void OnnxParseTest::readsFromTheEndOfAnOpenAxisOnlyWhenItIsBound() {
  Graph graph{.nodes = {node("Gather", {"x", "last"}, {"y"}, "take")}, .initializers = {tensor("last", {}, 7, integers({-1}))}, .inputs = {valueInfo("x", 1, {"n", "3"})}, .outputs = {valueInfo("y", 1, {"3"})}};
  std::string path = write("model.onnx", model(graph));
  QCOMPARE(importModel(path, {}).report.unknown.size(), std::size_t(1));
  Import bound = importModel(path, {.dims = {{"n", 6}}});
  QVERIFY(bound.report.unknown.empty());
  QCOMPARE(std::get<std::int64_t>(bound.graph->operators.at(0).attributes.at("index")), std::int64_t(5));
}

void OnnxParseTest::refuses_data() {
  QTest::addColumn<QByteArray>("file");
  QTest::addColumn<QString>("named");
  auto row = [](const char* name, const std::string& file, const char* named) { QTest::newRow(name) << QByteArray::fromStdString(file) << named; };
  const std::string weight = tensor("w.weight", {3, 2}, 1, floats({1, 2, 3, 4, 5, 6}));
  Graph good = product(weight), graph = good;
  graph.nodes = {node("Add", {"x", "b"}, {"a"}, "one"), node("Relu", {"a"}, {"b"}, "two"), good.nodes[0]};
  row("a cycle", model(graph), "waits for its own output");
  graph = good;
  graph.initializers = {weight, weight};
  row("two initializers of one name", model(graph), "w.weight");
  graph = good;
  graph.inputs = {x, x};
  row("two inputs of one name", model(graph), "\"x\"");
  graph = good;
  graph.nodes.push_back(good.nodes[0]);
  row("a value made twice", model(graph), "made twice");
  graph = good;
  graph.nodes = {node("MatMul", {"x", "nothing"}, {"y"}, "fc")};
  row("a value that nothing makes", model(graph), "nothing");
  graph = good;
  graph.outputs = {valueInfo("z", 1, {"2"})};
  row("an output that nothing makes", model(graph), "\"z\"");
  row("2^62 rows", model(product(tensor("w.weight", {std::int64_t(1) << 62, 2}, 1, ""))), "2^62");
  row("a negative size", model(product(tensor("w.weight", {-3, 2}, 1, ""))), "-3");
  row("too few bytes", model(product(tensor("w.weight", {3, 2}, 1, floats({1, 2})))), "needs 24 bytes");
  row("text in a tensor", model(product(tensor("w.weight", {3, 2}, 8, ""))), "string");
  graph = good;
  graph.inputs = {valueInfo("x", 1, {"4611686018427387904", "3"})};
  row("an input of 2^62", model(graph), "4611686018427387904");
  graph = good;
  graph.inputs = {unranked("x", 1)};
  row("an input without a rank", model(graph), "number of axes of \"x\"");
  graph = good;
  graph.nodes = {node("Slice", {"x", "from", "to"}, {"y"}, "nothing")};
  graph.initializers = {tensor("from", {1}, 7, integers({2})), tensor("to", {1}, 7, integers({2}))};
  row("a slice of nothing", model(graph), "is 0");
  row("no version", bytes(7, bytes(1, good.nodes[0]) + bytes(11, x) + bytes(12, y) + bytes(5, weight)), "opset_import");
  row("no graph", number(1, 8) + bytes(2, "tests"), "graph");
  std::string self = bytes(1, "f") + bytes(4, "a") + bytes(5, "b") + bytes(7, node("f", {"a"}, {"b"}, "again", "local")) + bytes(10, "local");
  graph = good;
  graph.nodes = {node("f", {"x"}, {"y"}, "call", "local")};
  row("a function that calls itself", model(graph, 17, {self}), "calls itself");
  std::string doubles = bytes(4, "a") + bytes(5, "b");
  std::vector<std::string> bomb;
  for (int i = 0; i < 30; ++i) {
    std::string inner = "f" + std::to_string(i + 1), type = i == 29 ? "Neg" : inner, domain = i == 29 ? "" : "local";
    bomb.push_back(bytes(1, "f" + std::to_string(i)) + doubles + bytes(7, node(type, {"a"}, {"m"}, "p", domain)) + bytes(7, node(type, {"m"}, {"b"}, "q", domain)) + bytes(10, "local"));
  }
  graph.nodes = {node("f0", {"x"}, {"y"}, "call", "local")};
  row("functions that double 30 times", model(graph, 17, bomb), "nodes");
}

void OnnxParseTest::refuses() {
  QFETCH(QByteArray, file);
  QFETCH(QString, named);
  try {
    import(file.toStdString());
    QFAIL("it was imported");
  } catch (const Error& error) {
    QVERIFY2(QString::fromStdString(error.text()).contains(named), error.text().c_str());
    QVERIFY2(!error.where.empty() && !error.right.empty(), error.text().c_str());
  }
}

QTEST_GUILESS_MAIN(OnnxParseTest)
#include "onnx_parse_test.moc"
