#include "core/layout/propagate.h"

#include <QtTest>

#include "core/ops/builder.h"

using namespace core;

namespace {

struct Case {
  GraphBuilder build;
  Mesh mesh;
  Layout layout;

  std::string shardingOf(const std::string& tensor) const {
    const Graph& graph = build.graph();
    const Templates templates(graph, mesh);
    const TensorId id = *graph.findTensor(tensor);
    std::vector<std::string> names;
    for (DimId dim : graph[id].shape) names.push_back(graph[dim].name);
    return print(propagate(graph, templates, layout, mesh).tensors[id.index()].sharding, names, mesh);
  }
};

Pin pin(const std::string& tensor, std::vector<Rule> dims) { return {tensor, std::move(dims)}; }

}  // namespace

class PropagateTest : public QObject {
  Q_OBJECT
 private slots:
  void carriesAPinThroughAContraction();
  void keepsWholeWhatAnEmptyPinNames();
  void passesTheMajorPartOfAMerge();
  void letsTheCheaperClaimWin();
  void saysWhy();
};

// Split W1's ffn: the hidden layer follows, and with it W2, which contracts ffn.
void PropagateTest::carriesAPinThroughAContraction() {
  Case c{.mesh = Mesh::of("model:2")};
  const TensorId x = c.build.input("x", "batch:8 d_model:4");
  const TensorId hidden = c.build.unary(Function::relu, c.build.einsum({x, c.build.parameter("W1", "d_model ffn:16")}, "batch ffn"));
  c.build.output(c.build.einsum({hidden, c.build.parameter("W2", "ffn out:4")}, "batch out"));
  c.layout.pins.push_back(pin("W1", {{"ffn", {"model"}}}));
  QCOMPARE(c.shardingOf("W1"), std::string("[d_model, ffn:model]"));
  QCOMPARE(c.shardingOf("W2"), std::string("[ffn:model, out]"));
}

void PropagateTest::keepsWholeWhatAnEmptyPinNames() {
  Case c{.mesh = Mesh::of("model:2"), .layout = Layout::of("ffn:model")};
  c.build.output(c.build.einsum({c.build.input("x", "batch:8 d_model:4"), c.build.parameter("W1", "d_model ffn:16")}, "batch ffn"));
  QCOMPARE(c.shardingOf("W1"), std::string("[d_model, ffn:model]"));
  c.layout.pins.push_back(pin("W*", {}));
  QCOMPARE(c.shardingOf("W1"), std::string("[d_model, ffn]"));
}

// heads:4 x head_dim:3 = merged:12: blocks of heads are blocks of merged.
void PropagateTest::passesTheMajorPartOfAMerge() {
  Case c{.mesh = Mesh::of("model:2"), .layout = Layout::of("heads:model")};
  const TensorId x = c.build.input("x", "batch:2 heads:4 head_dim:3");
  const TensorId merged = c.build.merge(x, c.build.shape("heads head_dim"), c.build.dim("merged", 12));
  c.build.output(c.build.einsum({merged, c.build.parameter("W", "merged out:4")}, "batch out"));
  QCOMPARE(c.shardingOf("W"), std::string("[merged:model, out]"));
}

// Both loops of an outer product claim one axis; splitting the larger one and gathering the smaller moves less.
void PropagateTest::letsTheCheaperClaimWin() {
  Case c{.mesh = Mesh::of("p:2"), .layout = Layout::of("u:p;v:p")};
  const TensorId u = c.build.input("x", "u:64"), v = c.build.input("y", "v:4");
  c.build.nextName("outer");
  c.build.output(c.build.sum(c.build.einsum({u, v}, "u v"), c.build.shape("u v")));
  const Templates templates(c.build.graph(), c.mesh);
  const Decisions decisions = propagate(c.build.graph(), templates, c.layout, c.mesh);
  QCOMPARE(decisions.operators[0].axes[0], AxisList{0});
  QVERIFY(decisions.operators[0].axes[1].empty());
}

void PropagateTest::saysWhy() {
  Case c{.mesh = Mesh::of("model:2"), .layout = Layout::of("ffn:model")};
  c.build.output(c.build.einsum({c.build.input("x", "batch:8 d_model:4"), c.build.parameter("W1", "d_model ffn:16")}, "batch ffn"));
  const Templates templates(c.build.graph(), c.mesh);
  const Decisions decisions = propagate(c.build.graph(), templates, c.layout, c.mesh);
  QCOMPARE(decisions.operators[0].reason, std::string("rule ffn:model"));
  QCOMPARE(decisions.tensors[c.build.graph().findTensor("W1")->index()].reason, std::string("rule ffn:model"));
}

QTEST_GUILESS_MAIN(PropagateTest)
#include "propagate_test.moc"
