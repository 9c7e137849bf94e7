#include "ui/session/run_watch.h"

#include <QFile>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "ui/models/run_rows.h"

using namespace ui;

class RunWatchTest : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void aRunThatGrowsAndOneThatIsOverAreReadTheSame();
  void aTraceThatGrowsIsReadToItsEnd();
  void aFailedRunSaysWhere();
  void aRunNobodyLooksAfterIsLost();
  void whatTheStarterSaidIsShown();
  void stopIsAFileInTheFolder();

 private:
  core::RunInfo info() const {
    return {.pid = 1,
            .host = "here",
            .started = core::secondsNow(),
            .heartbeat = core::secondsNow(),
            .ranks = 2,
            .variant = "A"};
  }

  std::unique_ptr<QTemporaryDir> temporary_;
  core::RunFolder folder_;
};

void RunWatchTest::init() {
  temporary_ = std::make_unique<QTemporaryDir>();
  folder_ = core::createRunFolder(temporary_->filePath("run").toStdString());
  core::writeRunInfo(folder_, info());
}

void RunWatchTest::aRunThatGrowsAndOneThatIsOverAreReadTheSame() {
  RunWatch live;
  live.open(QString::fromStdString(folder_.path));
  core::EventWriter writer(folder_.events());
  writer.write(core::StartedEvent{.ranks = 2, .mesh = "data:2", .firstStep = 1, .steps = 3});
  for (int step = 1; step <= 3; ++step) {
    writer.write(core::StepEvent{.step = step, .loss = 5.0 - step, .seconds = 0.01});
    live.poll();
    QCOMPARE(static_cast<int>(live.steps().size()), step);
    QCOMPARE(live.state(), RunWatch::State::running);
  }
  writer.write(core::FinishedEvent{});
  live.poll();
  QCOMPARE(live.state(), RunWatch::State::done);

  RunWatch later;
  later.open(QString::fromStdString(folder_.path));
  QCOMPARE(later.state(), RunWatch::State::done);
  QCOMPARE(later.steps(), live.steps());
  QCOMPARE(lossCurve(later).series[0].points.size(), 3u);
  QCOMPARE(rankGrid(later).cells.size(), 2u);
  QVERIFY(runStateLine(later).contains("step 3 of 3"));
}

void RunWatchTest::aTraceThatGrowsIsReadToItsEnd() {
  const std::vector<core::TraceInstruction> names{{"fc", core::InstructionKind::compute, "einsum"},
                                                  {"loss", core::InstructionKind::control, ""}};
  core::EventWriter events(folder_.events());
  events.write(core::StartedEvent{.ranks = 2, .mesh = "data:2", .firstStep = 1, .steps = 3});
  RunWatch live;
  QSignalSpy grown(&live, &RunWatch::traceChanged);
  live.open(QString::fromStdString(folder_.path));
  std::vector<std::unique_ptr<core::TraceWriter>> ranks;
  for (int rank = 0; rank < 2; ++rank)
    ranks.push_back(std::make_unique<core::TraceWriter>(folder_.trace(rank), rank, 2, 0.0, names));
  for (int step = 1; step <= 3; ++step) {
    for (int rank = 0; rank < 2; ++rank) {
      for (int i = 0; i < 2; ++i)
        ranks[std::size_t(rank)]->write(core::Span{.rank = rank, .instruction = i, .step = step, .start = step + 0.1 * i, .end = step + 0.1 * i + 0.1});
      ranks[std::size_t(rank)]->flush();
    }
    live.poll();
    QTRY_COMPARE(live.trace().spans.size(), std::size_t(4 * step));
    QVERIFY2(live.problem().isEmpty(), qPrintable(live.problem()));
  }
  QVERIFY(grown.count() >= 3);
  QCOMPARE(live.trace().instructions, names);
}

void RunWatchTest::aFailedRunSaysWhere() {
  RunWatch watch;
  watch.open(QString::fromStdString(folder_.path));
  core::EventWriter writer(folder_.events());
  writer.write(core::StartedEvent{.ranks = 2, .mesh = "data:2"});
  writer.write(core::FinishedEvent{.state = core::RunState::failed,
                                   .rank = 1,
                                   .step = 2,
                                   .instruction = "all-reduce fc",
                                   .message = "killed by signal 9"});
  watch.poll();
  QCOMPARE(watch.state(), RunWatch::State::failed);
  QVERIFY(watch.problem().contains("rank 1") && watch.problem().contains("all-reduce fc"));
  QCOMPARE(rankGrid(watch).cells[1].state, RankState::failed);
  QVERIFY(rankGrid(watch).cells[0].state != RankState::failed);
}

void RunWatchTest::aRunNobodyLooksAfterIsLost() {
  core::RunInfo old = info();
  old.heartbeat -= 60;
  core::writeRunInfo(folder_, old);
  RunWatch watch;
  watch.open(QString::fromStdString(folder_.path));
  QCOMPARE(watch.state(), RunWatch::State::lost);
}

void RunWatchTest::whatTheStarterSaidIsShown() {
  QString errors = temporary_->filePath("start.log");
  RunWatch watch;
  QProcess starter;
  starter.start("sleep", {"60"});
  QVERIFY(starter.waitForStarted());
  watch.open(temporary_->filePath("never"), starter.processId(), errors);
  QCOMPARE(watch.state(), RunWatch::State::preparing);
  QFile file(errors);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write("mpirun: not found (install openmpi-bin)\n");
  file.close();
  watch.poll();
  QCOMPARE(watch.state(), RunWatch::State::preparing);
  starter.kill();
  QVERIFY(starter.waitForFinished());
  watch.poll();
  QCOMPARE(watch.state(), RunWatch::State::failed);
  QVERIFY(watch.problem().contains("openmpi-bin"));
}

void RunWatchTest::stopIsAFileInTheFolder() {
  RunWatch watch;
  watch.open(QString::fromStdString(folder_.path));
  watch.requestStop();
  QVERIFY(QFile::exists(QString::fromStdString(folder_.stop())));
}

QTEST_GUILESS_MAIN(RunWatchTest)
#include "run_watch_test.moc"
