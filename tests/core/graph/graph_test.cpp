#include "core/graph/graph.h"

#include <QtTest>
#include <fstream>
#include <sstream>

#include "core/base/error.h"
#include "core/graph/prune.h"
#include "core/ops/builder.h"

using namespace core;

namespace {

Graph smallModel() {
  GraphBuilder build;
  const TensorId x = build.input("x", "batch:8 in:4");
  const TensorId w = build.parameter("fc.weight", "in out:6");
  const TensorId bias = build.parameter("fc.bias", "out");
  build.nextName("fc/einsum");
  const TensorId product = build.einsum({x, w}, "batch out");
  build.nextName("fc/add");
  const TensorId y = build.plus(product, bias);
  build.nextName("shares");
  build.output(build.softmax(y, build.shape("out")[0]));
  const TensorId count = build.state("count", Shape{}, DType::i64, StateKind::counter, Initializer{});
  build.nextName("count/next");
  build.update(count, build.plus(count, 1.0));
  return build.take();
}

std::string golden(const std::string& name) {
  std::ifstream file(MESHWRIGHT_SOURCE "/tests/golden/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

class GraphTest : public QObject {
  Q_OBJECT
 private slots:
  void countsElementsAndBytes();
  void saysSoWhenASizeLeaves64Bits();
  void findsWhoReadsATensor();
  void printsAsTheGoldenFile();
  void prunesWhatNobodyNeeds();
  void knowsTheScopeOfAName();
};

void GraphTest::countsElementsAndBytes() {
  const Graph graph = smallModel();
  QCOMPARE(graph.elements(*graph.findTensor("fc.weight")), 24);
  QCOMPARE(graph.bytes(*graph.findTensor("x")), 128);
  QCOMPARE(graph.parameterCount(), 30);
  QCOMPARE(graph.inputs().size(), 1u);
  QCOMPARE(graph.states().size(), 3u);
}

void GraphTest::saysSoWhenASizeLeaves64Bits() {
  GraphBuilder build;
  const TensorId x = build.input("x", "a:4611686018427387904 b:4");
  try {
    build.graph().elements(x);
    QFAIL("no error");
  } catch (const Error& error) {
    QVERIFY(error.what.find("64 bits") != std::string::npos);
    QCOMPARE(error.where, std::string("x"));
  }
}

void GraphTest::findsWhoReadsATensor() {
  const Graph graph = smallModel();
  const auto readers = consumers(graph);
  QCOMPARE(readers[graph.findTensor("x")->index()].size(), 1u);
  QCOMPARE(graph[readers[graph.findTensor("fc/einsum")->index()][0]].name, std::string("fc/add"));
  QVERIFY(readers[graph.findTensor("shares")->index()].empty());
}

void GraphTest::printsAsTheGoldenFile() {
  QCOMPARE(QString::fromStdString(print(smallModel())), QString::fromStdString(golden("small_model.graph")));
}

void GraphTest::prunesWhatNobodyNeeds() {
  Graph graph = smallModel();
  graph.outputs = {*graph.findTensor("fc/add")};
  const Graph kept = prune(graph);
  QCOMPARE(kept.operators.size(), 3u);  // einsum, add and the counter's
  QVERIFY(!kept.findTensor("shares"));
  QCOMPARE(kept[kept[kept.outputs[0]].producer].name, std::string("fc/add"));
  QCOMPARE(kept.updates.size(), 1u);
}

void GraphTest::knowsTheScopeOfAName() {
  QCOMPARE(scopeOf("decoder/layer_3/ffn/MatMul"), std::string_view("decoder/layer_3/ffn"));
  QCOMPARE(scopeOf("MatMul"), std::string_view(""));
}

QTEST_GUILESS_MAIN(GraphTest)
#include "graph_test.moc"
