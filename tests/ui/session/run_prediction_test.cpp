#include "ui/session/run_prediction.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "core/io/plan_file.h"
#include "core/io/program_file.h"
#include "core/plan/analyze.h"
#include "core/plan/edit/variants.h"
#include "ui/session/run_watch.h"

using namespace ui;

// Folders as a run leaves them, with the plan and the program that it was given.
class RunPredictionTest : public QObject {
  Q_OBJECT

 private slots:
  void everyRankHasATrace();
  void withoutAMachineItSaysWhy();
  void anUnknownMachineSaysWhy();
  void aWatchedRunGetsItsPredictionOnce();
  void aBrokenProgramIsSaidAndNothingElseIsLost();

 private:
  core::RunFolder folderOf(const std::string& machine);
  QTemporaryDir temporary_;
  int made_ = 0;
};

core::RunFolder RunPredictionTest::folderOf(const std::string& machine) {
  core::Plan sample = core::readPlan(MESHWRIGHT_SOURCE "/samples/plans/transformer.plan.json");
  core::Plan named = core::setMachine(sample, machine);
  auto plan = std::make_shared<const core::Plan>(core::setMachine(sample, {}));  // priced later, by the folder alone
  core::Analysis found = core::analyze(plan, plan->current);
  core::RunFolder folder =
      core::createRunFolder(temporary_.filePath(QStringLiteral("run-%1").arg(made_++)).toStdString());
  core::writePlan(named, folder.plan());
  core::writeProgram(*found.program, folder.program());
  core::writeRunInfo(folder, {.pid = 1, .host = "here", .started = core::secondsNow(), .heartbeat = core::secondsNow(),
                              .ranks = found.program->mesh.devices(), .variant = sample.variant().name});
  return folder;
}

void RunPredictionTest::everyRankHasATrace() {
  RunPredictionRef found = predictRun(folderOf("h100").path);
  QVERIFY2(found->missing.isEmpty(), qPrintable(found->missing));
  QCOMPARE(found->ranks.size(), std::size_t(found->program->mesh.devices()));
  QCOMPARE(found->machine, QStringLiteral("H100 SXM"));
  core::Machine machine = core::readMachine("h100");
  core::Cost cost = core::estimate(*found->program, &machine);
  for (const core::PredictedTrace& rank : found->ranks) QCOMPARE(rank.seconds, *cost.stepSeconds());
}

void RunPredictionTest::withoutAMachineItSaysWhy() {
  RunPredictionRef found = predictRun(folderOf({}).path);
  QVERIFY(found->ranks.empty());
  QVERIFY(found->missing.contains("machine"));
  QVERIFY(found->program);  // its axes are known all the same
}

void RunPredictionTest::anUnknownMachineSaysWhy() {
  RunPredictionRef found = predictRun(folderOf("abacus").path);
  QVERIFY(found->ranks.empty());
  QVERIFY2(found->missing.contains("abacus"), qPrintable(found->missing));
}

void RunPredictionTest::aWatchedRunGetsItsPredictionOnce() {
  core::RunFolder folder = folderOf("h100");
  RunWatch watch;
  QSignalSpy changed(&watch, &RunWatch::predictionChanged);
  watch.open(QString::fromStdString(folder.path));
  core::EventWriter writer(folder.events());
  writer.write(core::StartedEvent{.ranks = 4, .mesh = "data:2,model:2", .firstStep = 1, .steps = 3});
  watch.poll();
  QTRY_COMPARE(changed.count(), 1);
  QVERIFY(watch.prediction() && watch.prediction()->missing.isEmpty());
  watch.poll();
  QTest::qWait(50);
  QCOMPARE(changed.count(), 1);
  watch.close();
  QVERIFY(!watch.prediction());
}

void RunPredictionTest::aBrokenProgramIsSaidAndNothingElseIsLost() {
  core::RunFolder folder = folderOf("h100");
  QFile file(QString::fromStdString(folder.program()));
  QVERIFY(file.resize(file.size() / 2));
  core::EventWriter writer(folder.events());
  writer.write(core::StartedEvent{.ranks = 4, .mesh = "data:2,model:2", .firstStep = 1, .steps = 3});
  writer.write(core::StepEvent{.step = 1, .loss = 2.0, .seconds = 0.1});
  RunWatch watch;
  watch.open(QString::fromStdString(folder.path));
  QTRY_VERIFY(watch.prediction());
  QVERIFY2(watch.prediction()->missing.contains("program.json"), qPrintable(watch.prediction()->missing));
  QCOMPARE(watch.steps().size(), std::size_t{1});
}

QTEST_GUILESS_MAIN(RunPredictionTest)
#include "run_prediction_test.moc"
