#include "core/plan/edit/presets.h"

#include <QTest>

#include "core/plan/edit/mesh.h"
#include "small_plan.h"

using namespace core;

class PresetsTest : public QObject {
  Q_OBJECT

 private slots:
  void dataParallelPutsEveryAxisOnTheBatch();
  void megatronSplitsTheModelDimensions();
  void megatronOnOneAxisLeavesTheBatchWhole();
  void clashesOfANameAreSplitToo();
  void withoutAnAxisThereIsNoPreset();
  void withoutAModelDimensionThereIsNoMegatron();
};

void PresetsTest::dataParallelPutsEveryAxisOnTheBatch() {
  QCOMPARE(layoutOf(dataParallel(smallPlan())).rules, (std::vector<Rule>{{"batch", {"data", "model"}}}));
}

void PresetsTest::megatronSplitsTheModelDimensions() {
  QCOMPARE(layoutOf(megatron(smallPlan())).rules, (std::vector<Rule>{{"batch", {"data"}}, {"ffn", {"model"}}}));
}

void PresetsTest::megatronOnOneAxisLeavesTheBatchWhole() {
  QCOMPARE(layoutOf(megatron(setMesh(smallPlan(), Mesh::of("model:4")))).rules,
           (std::vector<Rule>{{"ffn", {"model"}}}));
}

void PresetsTest::clashesOfANameAreSplitToo() {
  Plan plan = smallPlan();
  Graph graph = *plan.graph;
  graph.dims.push_back({"ffn_2", 64});
  graph.dims.push_back({"ffn_size", 64});
  plan.graph = std::make_shared<const Graph>(graph);
  QCOMPARE(layoutOf(megatron(plan)).rules,
           (std::vector<Rule>{{"batch", {"data"}}, {"ffn", {"model"}}, {"ffn_2", {"model"}}}));
}

void PresetsTest::withoutAnAxisThereIsNoPreset() {
  QVERIFY_EXCEPTION_THROWN(dataParallel(setMesh(smallPlan(), Mesh{})), Error);
  QVERIFY_EXCEPTION_THROWN(megatron(setMesh(smallPlan(), Mesh{})), Error);
}

void PresetsTest::withoutAModelDimensionThereIsNoMegatron() {
  Plan plan = smallPlan();
  Graph graph = *plan.graph;
  graph.dims[2].name = "width";
  plan.graph = std::make_shared<const Graph>(graph);
  QVERIFY_EXCEPTION_THROWN(megatron(plan), Error);
}

QTEST_GUILESS_MAIN(PresetsTest)
#include "presets_test.moc"
