#include "core/plan/edit/layout.h"

#include <QTest>

#include "small_plan.h"

using namespace core;

class LayoutEditTest : public QObject {
  Q_OBJECT

 private slots:
  void addsAnAxisInnermost();
  void addsAnAxisOnce();
  void removesTheRuleWithItsLastAxis();
  void movesAnAxisToAnotherDimension();
  void setsAndClearsARule();
  void editsOnlyTheCurrentVariant();
  void pinsReplaceEachOther();
  void aPinBeginsAsTheTensorWas();
  void aPinWithoutAxesKeepsWhole();
};

using Axes = std::vector<std::string>;

void LayoutEditTest::addsAnAxisInnermost() {
  Plan plan = addRule(addRule(smallPlan(), "batch", "data"), "batch", "model");
  QCOMPARE(ruleAxes(layoutOf(plan), "batch"), (Axes{"data", "model"}));
}

void LayoutEditTest::addsAnAxisOnce() {
  Plan plan = addRule(addRule(smallPlan(), "batch", "data"), "batch", "data");
  QCOMPARE(layoutOf(plan).rules, (std::vector<Rule>{{"batch", {"data"}}}));
}

void LayoutEditTest::removesTheRuleWithItsLastAxis() {
  Plan plan = addRule(addRule(smallPlan(), "batch", "data"), "batch", "model");
  plan = removeRule(plan, "batch", "data");
  QCOMPARE(ruleAxes(layoutOf(plan), "batch"), Axes{"model"});
  QVERIFY(layoutOf(removeRule(plan, "batch", "model")).rules.empty());
}

void LayoutEditTest::movesAnAxisToAnotherDimension() {
  Plan plan = moveRule(addRule(smallPlan(), "batch", "data"), "batch", "ffn", "data");
  QCOMPARE(layoutOf(plan).rules, (std::vector<Rule>{{"ffn", {"data"}}}));
}

void LayoutEditTest::setsAndClearsARule() {
  Plan plan = setRule(smallPlan(), "ffn", {"model", "data"});
  QCOMPARE(ruleAxes(layoutOf(plan), "ffn"), (Axes{"model", "data"}));
  plan = setRule(plan, "ffn", {"data"});
  QCOMPARE(ruleAxes(layoutOf(plan), "ffn"), Axes{"data"});
  QVERIFY(layoutOf(removeRules(plan, "ffn")).rules.empty());
}

void LayoutEditTest::editsOnlyTheCurrentVariant() {
  Plan plan = smallPlan();
  plan.variants.push_back(plan.variants[0]);
  plan.current = 1;
  plan = addRule(plan, "batch", "data");
  QVERIFY(plan.variants[0].layout.rules.empty());
  QCOMPARE(plan.variants[1].layout.rules.size(), 1u);
}

void LayoutEditTest::pinsReplaceEachOther() {
  Plan plan = setPin(smallPlan(), {"W", {{"ffn", {"model"}}}});
  plan = setPin(plan, {"W", {}});
  QCOMPARE(layoutOf(plan).pins, (std::vector<Pin>{{"W", {}}}));
  QVERIFY(layoutOf(removePin(plan, "W")).pins.empty());
  QVERIFY(findPin(layoutOf(plan), "W"));
  QVERIFY(!findPin(layoutOf(plan), "x"));
}

void LayoutEditTest::aPinBeginsAsTheTensorWas() {
  Pin before{"W", {{"ffn", {"model"}}}};
  Plan plan = addPinAxis(smallPlan(), before, "d_model", "data");
  QCOMPARE(layoutOf(plan).pins, (std::vector<Pin>{{"W", {{"ffn", {"model"}}, {"d_model", {"data"}}}}}));
}

void LayoutEditTest::aPinWithoutAxesKeepsWhole() {
  Pin before{"W", {{"ffn", {"model"}}}};
  Plan plan = removePinAxis(smallPlan(), before, "ffn", "model");
  QCOMPARE(layoutOf(plan).pins, (std::vector<Pin>{{"W", {}}}));
}

QTEST_GUILESS_MAIN(LayoutEditTest)
#include "layout_test.moc"
