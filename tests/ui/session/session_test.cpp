#include "ui/session/session.h"

#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>

#include "../fake_analysis.h"
#include "core/plan/edit/layout.h"
#include "core/plan/edit/mesh.h"
#include "core/plan/edit/variants.h"

using namespace ui;

class SessionTest : public QObject {
  Q_OBJECT

 private slots:
  void anEditMakesTheAnalysisStaleUntilTheNewOneIsThere();
  void onlyTheNewestAnalysisIsShown();
  void previewsArriveForEachProposalAndChangeNothing();
  void aProposalThatThrowsIsAnIllegalEffect();
  void anEditEndsThePreview();
  void errorsAreReportedAndChangeNothing();
  void selectionIsToldOnce();
  void closingDropsWhatWasFound();
};

namespace {

Edit split(const char* dimension, const char* axis) {
  return [=](core::Plan plan) { return core::addRule(std::move(plan), dimension, axis); };
}

}  // namespace

void SessionTest::anEditMakesTheAnalysisStaleUntilTheNewOneIsThere() {
  Session session(fakeAnalysis, planJson());
  session.document().show(smallPlan());
  QVERIFY(session.stale());
  session.waitForAnalysis();
  QVERIFY(!session.stale());
  QCOMPARE(figuresOf(session.analysis()).peakBytes, 2000);

  session.apply("Split batch over data", split("batch", "data"));
  QVERIFY(session.stale());
  QCOMPARE(figuresOf(session.analysis()).peakBytes, 2000);  // the old one stays
  session.waitForAnalysis();
  QCOMPARE(figuresOf(session.analysis()).peakBytes, 1000);
}

void SessionTest::onlyTheNewestAnalysisIsShown() {
  QSemaphore gate;
  Session session(
      [&](Snapshot plan, std::size_t variant) {
        gate.acquire();
        return fakeAnalysis(std::move(plan), variant);
      },
      planJson());
  QSignalSpy changed(&session, &Session::analysisChanged);
  session.document().show(smallPlan());
  int before = static_cast<int>(changed.count());
  session.apply("one", split("batch", "data"));
  session.apply("two", split("ffn", "model"));
  gate.release(10);
  session.waitForAnalysis();
  QCOMPARE(changed.count(), before + 1);
  QCOMPARE(session.analysis().plan, session.document().snapshot());
}

void SessionTest::previewsArriveForEachProposalAndChangeNothing() {
  Session session(fakeAnalysis, planJson());
  session.document().show(smallPlan());
  session.waitForAnalysis();
  QHash<QString, Effect> found;
  connect(&session, &Session::previewed, this, [&](const QString& key, const Effect& effect) { found[key] = effect; });
  session.preview({{"a", split("batch", "data")}, {"b", split("ffn", "model")}, {"c", split("d_model", "data")}});
  QTRY_COMPARE(found.size(), 3);
  QCOMPARE(found["a"].after.peakBytes, 1000);
  QCOMPARE(found["a"].tensorsFollowing, 3);
  QVERIFY(!session.document().canUndo());
  QVERIFY(!session.stale());
}

void SessionTest::aProposalThatThrowsIsAnIllegalEffect() {
  Session session(fakeAnalysis, planJson());
  session.document().show(smallPlan());
  session.waitForAnalysis();
  Effect found;
  connect(&session, &Session::previewed, this, [&](const QString&, const Effect& effect) { found = effect; });
  session.previewAt("bad", [](core::Plan plan) { return core::resizeAxis(std::move(plan), "nothing", 2); }, {});
  QTRY_VERIFY(!found.after.legal());
  QVERIFY(summaryText(found).contains("nothing"));
}

void SessionTest::anEditEndsThePreview() {
  Session session(fakeAnalysis, planJson());
  session.document().show(smallPlan());
  session.waitForAnalysis();
  QSignalSpy ended(&session, &Session::previewEnded);
  session.previewAt("one", split("batch", "data"), {});
  session.apply("one", split("batch", "data"));
  QCOMPARE(ended.count(), 1);
}

void SessionTest::errorsAreReportedAndChangeNothing() {
  Session session(fakeAnalysis, planJson());
  session.document().show(smallPlan());
  QSignalSpy failed(&session, &Session::failed);
  QVERIFY(!session.apply("bad", [](core::Plan plan) { return core::removeVariant(std::move(plan), 0); }));
  QCOMPARE(failed.count(), 1);
  QVERIFY(!session.document().canUndo());
}

void SessionTest::selectionIsToldOnce() {
  Session session(fakeAnalysis, planJson());
  QSignalSpy told(&session, &Session::selectionChanged);
  session.select({Selection::Kind::tensor, {"W"}});
  session.select({Selection::Kind::tensor, {"W"}});
  QCOMPARE(told.count(), 1);
}

void SessionTest::closingDropsWhatWasFound() {
  Session session(fakeAnalysis, planJson());
  session.document().show(smallPlan());
  session.waitForAnalysis();
  session.document().close();
  QVERIFY(!session.analysis().cost);
  QVERIFY(!session.isOpen());
}

QTEST_GUILESS_MAIN(SessionTest)
#include "session_test.moc"
