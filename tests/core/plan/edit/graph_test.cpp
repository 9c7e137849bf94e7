#include "core/plan/edit/graph.h"

#include <QTest>

#include "core/plan/edit/layout.h"
#include "small_plan.h"

using namespace core;

class GraphEditTest : public QObject {
  Q_OBJECT

 private slots:
  void layoutsFollowARenamedDimension();
  void pinsFollowARenamedTensor();
  void choicesFollowARenamedOperator();
  void takenAndMissingNamesAreRefused();
  void bindsASizeOnce();
  void deletesAnOperatorThatNobodyReads();
  void refusesToDeleteWhatIsRead();
  void theOldPlanIsUntouched();
};

void GraphEditTest::layoutsFollowARenamedDimension() {
  Plan plan = setPin(addRule(smallPlan(), "ffn", "model"), {"W", {{"ffn", {"model"}}}});
  plan = renameDimension(plan, "ffn", "hidden");
  QCOMPARE(plan.graph->dims[2].name, std::string("hidden"));
  QCOMPARE(layoutOf(plan).rules[0].dimension, std::string("hidden"));
  QCOMPARE(layoutOf(plan).pins[0].dims[0].dimension, std::string("hidden"));
}

void GraphEditTest::pinsFollowARenamedTensor() {
  Plan plan = renameTensor(setPin(smallPlan(), {"W", {}}), "W", "fc.weight");
  QCOMPARE(plan.graph->tensors[1].name, std::string("fc.weight"));
  QCOMPARE(layoutOf(plan).pins[0].tensor, std::string("fc.weight"));
}

void GraphEditTest::choicesFollowARenamedOperator() {
  Plan plan = smallPlan();
  plan.variants[0].layout.choices = {{"mlp/h", "k", {"model"}}};
  QCOMPARE(renameOperator(plan, "mlp/h", "fc").variants[0].layout.choices[0].op, std::string("fc"));
}

void GraphEditTest::takenAndMissingNamesAreRefused() {
  QVERIFY_EXCEPTION_THROWN(renameDimension(smallPlan(), "ffn", "batch"), Error);
  QVERIFY_EXCEPTION_THROWN(renameDimension(smallPlan(), "nothing", "n"), Error);
  QVERIFY_EXCEPTION_THROWN(renameDimension(smallPlan(), "ffn", "a b"), Error);
  QVERIFY_EXCEPTION_THROWN(renameTensor(smallPlan(), "W", "x"), Error);
  QVERIFY_EXCEPTION_THROWN(renameOperator(smallPlan(), "mlp/h", ""), Error);
}

void GraphEditTest::bindsASizeOnce() {
  QCOMPARE(bindDimension(smallPlan(), "seq", 64).graph->dims[3].size, std::int64_t{64});
  QVERIFY_EXCEPTION_THROWN(bindDimension(smallPlan(), "no_such", 64), Error);
  QVERIFY_EXCEPTION_THROWN(bindDimension(smallPlan(), "seq", 0), Error);
}

void GraphEditTest::deletesAnOperatorThatNobodyReads() {
  Plan plan = deleteOperator(smallPlan(), "mlp/y");
  QCOMPARE(plan.graph->operators.size(), 1u);
  QCOMPARE(plan.graph->tensors.size(), 3u);
  QCOMPARE(plan.graph->outputs, std::vector<TensorId>{TensorId(2)});
  QVERIFY_EXCEPTION_THROWN(deleteOperator(plan, "mlp/h"), Error);  // would leave no output
}

void GraphEditTest::refusesToDeleteWhatIsRead() {
  QVERIFY_EXCEPTION_THROWN(deleteOperator(smallPlan(), "mlp/h"), Error);
}

void GraphEditTest::theOldPlanIsUntouched() {
  Plan before = smallPlan();
  Graph kept = *before.graph;
  Plan after = renameTensor(before, "W", "fc.weight");
  QVERIFY(*before.graph == kept);
  QVERIFY(before.graph != after.graph);
}

QTEST_GUILESS_MAIN(GraphEditTest)
#include "graph_test.moc"
