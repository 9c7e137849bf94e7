#include "ui/models/figures.h"

#include <QTest>

#include "../fake_analysis.h"
#include "core/plan/edit/layout.h"

using namespace ui;

class FiguresTest : public QObject {
  Q_OBJECT

 private slots:
  void anEffectSaysWhatGetsBetterAndWorse();
  void anIllegalEditSaysWhy();
  void missingSecondsAreSaidAndNotZero();
  void lessMemoryIsBetterButMoreHeadroomIsToo();
};

namespace {

core::Analysis of(const core::Plan& plan) {
  return fakeAnalysis(std::make_shared<const core::Plan>(plan), plan.current);
}

const FigureLine& lineOf(const std::vector<FigureLine>& lines, const QString& name) {
  for (const FigureLine& line : lines)
    if (line.name == name) return line;
  static const FigureLine none;
  return none;
}

}  // namespace

void FiguresTest::anEffectSaysWhatGetsBetterAndWorse() {
  Effect effect = effectOf(of(smallPlan()), of(core::addRule(smallPlan(), "batch", "data")));
  std::vector<FigureLine> lines = compareFigures(effect.before, effect.after);
  QCOMPARE(lineOf(lines, "Peak memory").judgement, Judgement::better);
  QCOMPARE(lineOf(lines, "Peak memory").beforeValue, 2000.0);
  QCOMPARE(lineOf(lines, "Peak memory").afterValue, 1000.0);
  QCOMPARE(lineOf(lines, "Collectives").judgement, Judgement::worse);
  QCOMPARE(effect.tensorsFollowing, 3);  // x, mlp/h, mlp/y
  QVERIFY(summaryText(effect).contains("3 tensors follow"));
}

void FiguresTest::anIllegalEditSaysWhy() {
  core::Plan both = core::addRule(core::addRule(smallPlan(), "batch", "data"), "d_model", "data");
  Effect effect = effectOf(of(smallPlan()), of(both));
  QVERIFY(!effect.after.legal());
  QVERIFY(summaryText(effect).contains("data"));
  QVERIFY(!refusalText(effect.after).isEmpty());
}

void FiguresTest::missingSecondsAreSaidAndNotZero() {
  Figures before, after;
  after.stepSeconds = 1;
  const FigureLine line = lineOf(compareFigures(before, after), "Step time");
  QCOMPARE(line.before, QString("bytes only"));
  QCOMPARE(line.judgement, Judgement::same);
}

void FiguresTest::lessMemoryIsBetterButMoreHeadroomIsToo() {
  Figures before, after;
  before.memoryLimit = after.memoryLimit = 1000;
  before.peakBytes = 800;
  after.peakBytes = 600;
  QCOMPARE(lineOf(compareFigures(before, after), "Headroom").judgement, Judgement::better);
  QCOMPARE(lineOf(compareFigures(after, before), "Headroom").judgement, Judgement::worse);
  QCOMPARE(lineOf(compareFigures(before, before), "Headroom").judgement, Judgement::same);
}

QTEST_GUILESS_MAIN(FiguresTest)
#include "figures_test.moc"
