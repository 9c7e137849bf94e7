#include "ui/session/newest.h"

#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>

using ui::Newest;

class NewestTest : public QObject {
  Q_OBJECT

 private slots:
  void delivers();
  void aLateAnswerIsIgnored();
  void onlyTheNewestThatWaitsRuns();
  void nothingIsDeliveredAfterCancel();
  void destroyingWhileItRunsIsSafe();
};

void NewestTest::delivers() {
  Newest newest;
  int found = 0;
  newest.start([&] { return [&] { found = 7; }; });
  QVERIFY(newest.busy());
  newest.wait();
  QCOMPARE(found, 7);
  QVERIFY(!newest.busy());
}

void NewestTest::aLateAnswerIsIgnored() {
  Newest newest;
  QSemaphore gate;
  QStringList found;
  newest.start([&] {
    gate.acquire();
    return [&] { found << "old"; };
  });
  newest.start([&] { return [&] { found << "new"; }; });
  gate.release();
  newest.wait();
  QCOMPARE(found, QStringList{"new"});
}

void NewestTest::onlyTheNewestThatWaitsRuns() {
  Newest newest;
  QSemaphore gate;
  std::atomic<int> runs = 0;
  newest.start([&]() -> Newest::Deliver {
    gate.acquire();
    ++runs;
    return {};
  });
  for (int i = 0; i < 10; ++i)
    newest.start([&]() -> Newest::Deliver {
      ++runs;
      return {};
    });
  gate.release();
  newest.wait();
  QCOMPARE(runs.load(), 2);
}

void NewestTest::nothingIsDeliveredAfterCancel() {
  Newest newest;
  bool delivered = false;
  newest.start([&] { return [&] { delivered = true; }; });
  newest.cancel();
  newest.wait();
  QVERIFY(!delivered);
}

void NewestTest::destroyingWhileItRunsIsSafe() {
  bool delivered = false;
  {
    Newest newest;
    newest.start([&] {
      QThread::msleep(30);
      return [&] { delivered = true; };
    });
  }
  QCoreApplication::processEvents();
  QVERIFY(!delivered);
}

QTEST_GUILESS_MAIN(NewestTest)
#include "newest_test.moc"
