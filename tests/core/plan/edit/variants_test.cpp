#include "core/plan/edit/variants.h"

#include <QTest>

#include "small_plan.h"

using namespace core;

class VariantsEditTest : public QObject {
  Q_OBJECT

 private slots:
  void aDuplicateIsNextInTheAlphabetAndCurrent();
  void removingKeepsTheCurrentOne();
  void theLastVariantStays();
  void namesAreUnique();
  void setsStepDataAndMachine();
  void aRunStandsOnce();
};

void VariantsEditTest::aDuplicateIsNextInTheAlphabetAndCurrent() {
  Plan plan = duplicateVariant(smallPlan(), 0);
  QCOMPARE(plan.variants[1].name, std::string("B"));
  QCOMPARE(plan.current, 1u);
  QCOMPARE(plan.variants[1].mesh, plan.variants[0].mesh);
}

void VariantsEditTest::removingKeepsTheCurrentOne() {
  Plan plan = duplicateVariant(duplicateVariant(smallPlan(), 0), 0);  // A B [C]
  QCOMPARE(removeVariant(plan, 0).variant().name, std::string("C"));
  QCOMPARE(removeVariant(plan, 2).variant().name, std::string("B"));
  QCOMPARE(removeVariant(selectVariant(plan, 0), 0).variant().name, std::string("B"));
}

void VariantsEditTest::theLastVariantStays() {
  QVERIFY_EXCEPTION_THROWN(removeVariant(smallPlan(), 0), Error);
}

void VariantsEditTest::namesAreUnique() {
  Plan plan = duplicateVariant(smallPlan(), 0);
  QVERIFY_EXCEPTION_THROWN(renameVariant(plan, 1, "A"), Error);
  QVERIFY_EXCEPTION_THROWN(renameVariant(plan, 1, ""), Error);
  QVERIFY_EXCEPTION_THROWN(selectVariant(plan, 2), Error);
  QCOMPARE(renameVariant(plan, 1, "tp8").variant().name, std::string("tp8"));
}

void VariantsEditTest::setsStepDataAndMachine() {
  Plan plan =
      setMachine(setData(setStep(smallPlan(), Step{.training = true}), Data{Data::Kind::text, "a.txt"}), "H100");
  QVERIFY(plan.variant().step.training);
  QCOMPARE(plan.variant().data.path, std::string("a.txt"));
  QCOMPARE(plan.variant().machine, std::string("H100"));
}

void VariantsEditTest::aRunStandsOnce() {
  Plan plan = addRun(addRun(addRun(smallPlan(), "one"), "two"), "one");
  QCOMPARE(plan.runs, (std::vector<std::string>{"two", "one"}));
}

QTEST_GUILESS_MAIN(VariantsEditTest)
#include "variants_test.moc"
