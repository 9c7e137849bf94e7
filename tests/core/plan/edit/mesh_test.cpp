#include "core/plan/edit/mesh.h"

#include <QTest>

#include "core/plan/edit/layout.h"
#include "small_plan.h"

using namespace core;

class MeshEditTest : public QObject {
  Q_OBJECT

 private slots:
  void layoutFollowsARenamedAxis();
  void aRemovedAxisLeavesTheLayout();
  void aPinThatLosesItsAxisKeepsWhole();
  void resizesAndMoves();
  void refusesBadNamesAndSizes();
};

static Plan laidOut() {
  Plan plan = addRule(addRule(smallPlan(), "batch", "data"), "batch", "model");
  plan = setPin(plan, {"W", {{"ffn", {"model"}}}});
  plan.variants[0].layout.choices = {{"mlp/h", "k", {"model"}}};
  return plan;
}

void MeshEditTest::layoutFollowsARenamedAxis() {
  Plan plan = renameAxis(laidOut(), "model", "tp");
  QCOMPARE(print(plan.variant().mesh), std::string("data:2,tp:2"));
  QCOMPARE(layoutOf(plan).rules, (std::vector<Rule>{{"batch", {"data", "tp"}}}));
  QCOMPARE(layoutOf(plan).pins, (std::vector<Pin>{{"W", {{"ffn", {"tp"}}}}}));
  QCOMPARE(layoutOf(plan).choices, (std::vector<Choice>{{"mlp/h", "k", {"tp"}}}));
}

void MeshEditTest::aRemovedAxisLeavesTheLayout() {
  Plan plan = removeAxis(laidOut(), "model");
  QCOMPARE(print(plan.variant().mesh), std::string("data:2"));
  QCOMPARE(layoutOf(plan).rules, (std::vector<Rule>{{"batch", {"data"}}}));
  QVERIFY(layoutOf(plan).choices.empty());
}

void MeshEditTest::aPinThatLosesItsAxisKeepsWhole() {
  QCOMPARE(layoutOf(setMesh(laidOut(), Mesh::of("data:4"))).pins, (std::vector<Pin>{{"W", {}}}));
}

void MeshEditTest::resizesAndMoves() {
  QCOMPARE(print(resizeAxis(smallPlan(), "model", 3).variant().mesh), std::string("data:2,model:3"));
  QCOMPARE(print(moveAxis(smallPlan(), "model", 0).variant().mesh), std::string("model:2,data:2"));
  QCOMPARE(print(addAxis(smallPlan(), "expert", 4).variant().mesh), std::string("data:2,model:2,expert:4"));
}

void MeshEditTest::refusesBadNamesAndSizes() {
  QVERIFY_EXCEPTION_THROWN(addAxis(smallPlan(), "model", 2), Error);
  QVERIFY_EXCEPTION_THROWN(addAxis(smallPlan(), "", 2), Error);
  QVERIFY_EXCEPTION_THROWN(addAxis(smallPlan(), "a b", 2), Error);
  QVERIFY_EXCEPTION_THROWN(addAxis(smallPlan(), "z", 0), Error);
  QVERIFY_EXCEPTION_THROWN(resizeAxis(smallPlan(), "nothing", 2), Error);
  QVERIFY_EXCEPTION_THROWN(renameAxis(smallPlan(), "model", "data"), Error);
}

QTEST_GUILESS_MAIN(MeshEditTest)
#include "mesh_test.moc"
