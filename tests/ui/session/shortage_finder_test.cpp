#include "ui/session/shortage_finder.h"

#include <QSemaphore>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <atomic>

#include "core/plan/edit/layout.h"
#include "tests/support/several_plans.h"
#include "tests/support/short_machine.h"
#include "ui/models/shortage_rows.h"
#include "ui/session/session.h"

using namespace ui;

class ShortageFinderTest : public QObject {
  Q_OBJECT

 private slots:
  void init() { file_ = folder_.filePath(QString::number(++files_) + ".json").toStdString(); }
  void aPromiseIsWhatTheClickComesTo_data();
  void aPromiseIsWhatTheClickComesTo();
  void whatFitsIsLeftAlone();
  void theNextEditEndsTheSearch();
  void anotherDocumentClearsIt();

 private:
  QTemporaryDir folder_;
  std::string file_;
  int files_ = 0;
};

void ShortageFinderTest::aPromiseIsWhatTheClickComesTo_data() {
  QTest::addColumn<QString>("plan");
  QTest::addColumn<QString>("machine");
  QTest::addColumn<double>("share");
  for (const auto& [name, plan] : tests::severalPlans())
    for (auto [machine, share] : {std::pair{"v100", 0.8}, {"tpu-v4", 0.5}, {"h100", 0.1}})
      QTest::addRow("%s on %s, %g", name.c_str(), machine, share) << QString::fromStdString(name) << machine << share;
}

void ShortageFinderTest::aPromiseIsWhatTheClickComesTo() {
  QFETCH(QString, plan);
  QFETCH(QString, machine);
  QFETCH(double, share);
  Session session;
  for (const auto& [name, one] : tests::severalPlans())
    if (name == plan.toStdString()) session.document().show(tests::tooLarge(one, machine.toStdString(), share, file_));
  session.waitForAnalysis();
  session.shortage().wait();
  ShortageFinder& found = session.shortage();
  QVERIFY(found.isShort() && !found.searching());
  QCOMPARE(found.causes().size(), ShortageFinder::mostCauses);
  QVERIFY(!found.offers().empty());
  core::Analysis before = session.analysis();

  // None that was left out is better than one that is shown.
  const core::Reached worst = found.offers().back().reached;
  for (const core::Relief& relief : core::reliefs(before)) {
    bool shown = std::any_of(found.offers().begin(), found.offers().end(),
                             [&](const ReliefOffer& one) { return one.relief == relief; });
    auto changed = std::make_shared<const core::Plan>(core::relieve(*before.plan, relief));
    std::optional<core::Reached> other = core::reached(core::analyze(changed, changed->current));
    if (other && !shown && other->peakBytes < core::reached(before)->peakBytes) QVERIFY(!core::isBetter(*other, worst));
  }

  for (const ReliefOffer& offer : std::vector<ReliefOffer>(found.offers())) {
    NamedEdit edit = editOf(offer.relief);
    int position = session.document().position();
    QVERIFY(session.apply(edit.name, edit.edit));
    QCOMPARE(session.document().position(), position + 1);
    session.waitForAnalysis();
    QCOMPARE(figuresOf(session.analysis()), offer.effect.after);
    QCOMPARE(session.analysis().cost->fits(), offer.reached.fits);
    QCOMPARE(session.shortage().isShort(), !offer.reached.fits);
    QVERIFY(offer.effect.after.peakBytes < figuresOf(before).peakBytes);
    session.document().undo();
  }
}

void ShortageFinderTest::whatFitsIsLeftAlone() {
  std::atomic<int> analysed = 0;
  Session session([&](Snapshot plan, std::size_t variant) { return ++analysed, core::analyze(plan, variant); },
                  planJson());
  session.document().show(core::setMachine(tests::severalPlans().front().second, "h100"));
  session.waitForAnalysis();
  session.shortage().wait();
  QVERIFY(!session.shortage().isShort());
  QVERIFY(session.shortage().causes().empty() && session.shortage().offers().empty());
  QCOMPARE(analysed.load(), 1);
}

// The first candidate is held while the edit is made: no other of its search is analysed.
void ShortageFinderTest::theNextEditEndsTheSearch() {
  QSemaphore may;
  std::atomic<int> analysed = 0;
  std::atomic<bool> held = true;
  core::Plan plan = tests::tooLarge(tests::severalPlans().front().second, "v100", 0.8, file_);
  Session session(
      [&](Snapshot one, std::size_t variant) {
        if (++analysed == 2 && held) may.acquire();
        return core::analyze(one, variant);
      },
      planJson());
  session.document().show(plan);
  session.waitForAnalysis();
  QTRY_COMPARE(analysed.load(), 2);
  QVERIFY(session.shortage().searching());
  held = false;
  QVERIFY(session.apply("more", [](core::Plan one) { return core::addRule(std::move(one), "vocab", "model"); }));
  may.release();
  session.waitForAnalysis();
  session.shortage().wait();
  std::size_t candidates = session.shortage().isShort() ? core::reliefs(session.analysis()).size() : 0;
  QCOMPARE(static_cast<std::size_t>(analysed.load()), 3 + candidates);
  for (const ReliefOffer& offer : session.shortage().offers())
    QCOMPARE(offer.effect.before, figuresOf(session.analysis()));
}

void ShortageFinderTest::anotherDocumentClearsIt() {
  Session session;
  session.document().show(tests::tooLarge(tests::severalPlans().front().second, "v100", 0.8, file_));
  session.waitForAnalysis();
  QVERIFY(session.shortage().isShort());
  QSignalSpy changed(&session.shortage(), &ShortageFinder::changed);
  session.document().close();
  QVERIFY(!session.shortage().isShort() && !session.shortage().searching());
  QCOMPARE(changed.count(), 1);
}

QTEST_MAIN(ShortageFinderTest)
#include "shortage_finder_test.moc"
