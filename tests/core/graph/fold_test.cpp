#include "core/graph/fold.h"

#include <QElapsedTimer>
#include <QtTest>

#include "core/ops/builder.h"

using namespace core;

namespace {

// A layer as an exporter writes it: norm-like scale, two products with a nonlinearity, a residual sum.
TensorId layer(GraphBuilder& build, TensorId x, const std::string& scope, const std::string& name,
               const char* inner = "ffn:16") {
  if (!scope.empty()) build.pushScope(scope);
  TensorId scale = build.parameter(name + ".scale", "d:8");
  TensorId up = build.parameter(name + ".up", std::string("d:8 ") + inner);
  std::string innerName = std::string(inner).substr(0, std::string(inner).find(':'));
  TensorId down = build.parameter(name + ".down", innerName + " d");
  TensorId h = build.times(x, scale);
  if (!scope.empty()) build.pushScope("mlp");
  h = build.unary(Function::relu, build.einsum({h, up}, "batch " + innerName));
  h = build.einsum({h, down}, "batch d");
  if (!scope.empty()) build.popScope();
  TensorId y = build.plus(x, h);
  if (!scope.empty()) build.popScope();
  return y;
}

Graph model(int layers, bool scopes) {
  GraphBuilder build;
  TensorId x = build.input("x", "batch:4 d:8");
  x = build.unary(Function::tanh, x);
  for (int i = 0; i < layers; ++i)
    x = layer(build, x, scopes ? "h." + std::to_string(i) : "", "h." + std::to_string(i));
  build.output(build.unary(Function::sigmoid, x));
  return build.take();
}

std::size_t total(const Fold& fold) {
  std::size_t count = 0;
  for (const Group& group : fold.groups)
    for (const FoldItem& item : group.items) count += item.kind == FoldItem::Kind::op;
  return count;
}

}  // namespace

class FoldTest : public QObject {
  Q_OBJECT

 private slots:
  void layersWithScopesAreOneStack() {
    Graph graph = model(4, true);
    Fold found = fold(graph);
    QCOMPARE(QString::fromStdString(print(found)),
             QStringLiteral(
                 "tanh\nh x4 carries 1\n  multiply\n  mlp/\n    einsum\n    relu\n    einsum_2\n  add\nsigmoid\n"));
    QCOMPARE(found.stacks.size(), std::size_t{1});
    const Carried& residual = found.stacks[0].carried.at(0);
    QCOMPARE(graph[residual.into].name, std::string("tanh"));
    QCOMPARE(residual.out.size(), std::size_t{4});
    for (std::size_t i = 0; i + 1 < 4; ++i) {
      const Operator& next = graph[found[found.stacks[0].instances[i + 1]].operators[0]];
      QVERIFY(std::find(next.inputs.begin(), next.inputs.end(), residual.out[i]) != next.inputs.end());
    }
    QCOMPARE(QString::fromStdString(describeStacks(found).at(0)), QStringLiteral("4 \u00D7 h (5 operators each)"));
  }

  void everyOperatorStandsInExactlyOneGroup() {
    for (bool scopes : {true, false}) {
      Graph graph = model(5, scopes);
      Fold found = fold(graph);
      QCOMPARE(total(found), graph.operators.size());
      for (std::size_t i = 0; i < graph.operators.size(); ++i) {
        const auto& items = found[found.groupOf[i]].items;
        QVERIFY(std::find(items.begin(), items.end(), FoldItem{FoldItem::Kind::op, static_cast<int>(i)}) !=
                items.end());
      }
    }
  }

  void repeatsAreGuessedWhereThereAreNoScopes() {
    Graph graph = model(6, false);
    Fold found = fold(graph);
    QCOMPARE(found.stacks.size(), std::size_t{1});
    QCOMPARE(found.stacks[0].instances.size(), std::size_t{6});
    QVERIFY(found[found.stacks[0].instances[0]].guessed);
    QCOMPARE(found.stacks[0].carried.size(), std::size_t{1});  // cut where only the residual crosses
    QCOMPARE(graph[found[found.stacks[0].instances[0]].operators.front()].kind,
             graph[fold(model(6, true))[GroupId(1)].operators.front()].kind);
  }

  void instancesCorrespondOneToOne() {
    Graph graph = model(4, false);
    Fold found = fold(graph);
    const auto& first = found[found.stacks[0].instances[0]].operators;
    for (GroupId id : found.stacks[0].instances) {
      const auto& other = found[id].operators;
      QVERIFY(equalBlocks(graph, first, other));
      for (std::size_t i = 0; i < first.size(); ++i) QCOMPARE(graph[first[i]].kind, graph[other[i]].kind);
    }
  }

  void anotherSizeOrWiringIsNotTheSame() {
    GraphBuilder build;
    TensorId x = build.input("x", "batch:4 d:8");
    x = layer(build, x, "h.0", "a");
    x = layer(build, x, "h.1", "b");
    x = layer(build, x, "h.2", "c", "wide:32");
    x = layer(build, x, "h.3", "d");
    build.output(x);
    Graph graph = build.take();
    Fold found = fold(graph);
    QCOMPARE(found.stacks.size(), std::size_t{1});
    QCOMPARE(found.stacks[0].instances.size(), std::size_t{2});

    GraphBuilder crossed;  // the second block adds what it was given twice
    TensorId y = crossed.input("x", "batch:4 d:8");
    for (int i = 0; i < 2; ++i) {
      crossed.pushScope("b." + std::to_string(i));
      TensorId h = crossed.unary(Function::tanh, y);
      TensorId g = crossed.unary(Function::exp, h);
      y = i == 0 ? crossed.plus(g, y) : crossed.plus(g, h);
      crossed.popScope();
    }
    QVERIFY(fold(crossed.graph()).stacks.empty());
  }

  void equalNeighboursWithNamesOfTheirOwnStayApart() {
    GraphBuilder build;
    TensorId x = build.input("x", "batch:4 d:8");
    std::vector<TensorId> made;
    for (const char* name : {"q", "k", "v"}) {
      build.pushScope(name);
      TensorId w = build.parameter(std::string(name) + ".w", "d:8 e:8");
      TensorId b = build.parameter(std::string(name) + ".b", "e:8");
      made.push_back(build.plus(build.einsum({x, w}, "batch e"), b));
      build.popScope();
    }
    build.output(build.plus(build.plus(made[0], made[1]), made[2]));
    QVERIFY(fold(build.graph()).stacks.empty());
  }

  void numberedExpertsSideBySideAreAStackThatCarriesNothing() {
    GraphBuilder build;
    TensorId x = build.input("x", "batch:4 d:8");
    TensorId all;
    for (int i = 0; i < 4; ++i) {
      build.pushScope("experts." + std::to_string(i));
      TensorId w = build.parameter("e" + std::to_string(i), "d:8 e:8");
      TensorId y = build.unary(Function::relu, build.einsum({x, w}, "batch e"));
      build.popScope();
      all = i == 0 ? y : y;
      build.output(y);
    }
    Fold found = fold(build.graph());
    QCOMPARE(found.stacks.size(), std::size_t{1});
    QCOMPARE(found.stacks[0].instances.size(), std::size_t{4});
    QVERIFY(found.stacks[0].carried.empty());
  }

  void aGroupOfOneOperatorTakesItsName() {
    GraphBuilder build;
    TensorId x = build.input("x", "batch:4 d:8");
    build.pushScope("attn");
    build.pushScope("c_attn");
    TensorId w = build.parameter("w", "d:8 e:8");
    TensorId y = build.einsum({x, w}, "batch e");
    build.popScope();
    y = build.unary(Function::relu, y);
    build.popScope();
    build.output(build.unary(Function::tanh, y));
    QCOMPARE(QString::fromStdString(print(fold(build.graph()))), QStringLiteral("attn/\n  c_attn\n  relu\ntanh\n"));
  }

  void theBoundaryIsWhatCrosses() {
    Graph graph = model(3, true);
    Fold found = fold(graph);
    Boundary middle = boundaryOf(graph, found[found.stacks[0].instances[1]].operators);
    QCOMPARE(middle.inputs, std::vector{found.stacks[0].carried[0].out[0]});
    QCOMPARE(middle.outputs, std::vector{found.stacks[0].carried[0].out[1]});
    QCOMPARE(middle.states.size(), std::size_t{3});
  }

  void tenThousandOperatorsFoldQuickly_data() {
    QTest::addColumn<bool>("scopes");
    QTest::newRow("scopes") << true;
    QTest::newRow("guessed") << false;
  }
  void tenThousandOperatorsFoldQuickly() {
    QFETCH(bool, scopes);
    Graph graph = model(2000, scopes);
    QElapsedTimer timer;
    timer.start();
    Fold found = fold(graph);
    qInfo("%zu operators folded in %lld ms", graph.operators.size(), timer.elapsed());
    QCOMPARE(found.stacks.at(0).instances.size(), std::size_t{2000});
    QVERIFY(timer.elapsed() < 3000);  // a guard against a quadratic step, not a benchmark
  }
};

QTEST_GUILESS_MAIN(FoldTest)
#include "fold_test.moc"
