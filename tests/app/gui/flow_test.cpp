#include <QApplication>
#include <QDragEnterEvent>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLabel>
#include <QMimeData>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include "core/io/layout_file.h"
#include "core/plan/edit/layout.h"
#include "core/plan/edit/mesh.h"
#include "ui/main_window/exporter.h"
#include "ui/main_window/file_flow.h"
#include "ui/main_window/main_window.h"
#include "ui/session/run_starter.h"
#include "ui/theme/theme.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/timeline.h"

using namespace ui;

// The whole way in one window, with the real analysis and a real run: open, drag, read the estimate, undo, run on two
// ranks, watch spans arrive, stop, export, reopen.
class FlowTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void opensTheSample();
  void aDragChangesTheEstimateAndUndoesToTheSameBytes();
  void anIllegalDropIsRefusedByTheRealCheck();
  void savesAndReopensEqual();
  void exportsTheLayoutThatIsShown();
  void exportsTheLastEdit();
  void aRunIsWatchedAndStopped();
  void theRunIsThereAgainInAnotherWindow();
  void cleanupTestCase();

 private:
  void drop(const QString& dimension, const QString& axis);
  bool write(const std::string& form, const QString& path);

  QTemporaryDir folder_;
  std::unique_ptr<MainWindow> window_;
  QString runFolder_;
};

void FlowTest::initTestCase() {
  QStandardPaths::setTestModeEnabled(true);
  applyAppearance(*qApp, Appearance::light);
  setSupervisorProgram(QStringLiteral(MESHWRIGHT_BIN) + "/meshwright-cli");
  window_ = std::make_unique<MainWindow>(WindowOptions{folder_.filePath("recovery"), false});
  window_->resize(1280, 720);
  window_->show();
  QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
}

void FlowTest::opensTheSample() {
  QVERIFY(window_->files().openSample());
  window_->session().waitForAnalysis();
  QVERIFY2(figuresOf(window_->session().analysis()).legal(),
           qPrintable(refusalText(figuresOf(window_->session().analysis()))));
  QVERIFY(figuresOf(window_->session().analysis()).peakBytes > 0);
}

void FlowTest::drop(const QString& dimension, const QString& axis) {
  auto* target = window_->findChild<AxisChip*>("axis:" + axis);
  QVERIFY(target);
  std::unique_ptr<QMimeData> data(dimensionMimeData(dimension));
  QPoint at = target->rect().center();
  QDragEnterEvent enter(at, Qt::CopyAction | Qt::MoveAction, data.get(), Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(target, &enter);
  QDragMoveEvent move(at, Qt::CopyAction | Qt::MoveAction, data.get(), Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(target, &move);
  QDropEvent event(at, Qt::CopyAction | Qt::MoveAction, data.get(), Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(target, &event);
}

bool FlowTest::write(const std::string& form, const QString& path) {
  QSignalSpy written(&window_->exporter(), &Exporter::written);
  window_->exporter().write(form, path);
  while (written.isEmpty() && written.wait(60000)) continue;
  return !written.isEmpty() && written.first().at(1).toBool();
}

void FlowTest::aDragChangesTheEstimateAndUndoesToTheSameBytes() {
  Session& session = window_->session();
  session.apply("start", [](core::Plan plan) {
    return core::setLayout(core::setMesh(std::move(plan), core::Mesh::of("data:2")), {});
  });
  session.waitForAnalysis();
  std::string before = session.document().format().print(session.document().plan());
  Figures whole = figuresOf(session.analysis());
  QCOMPARE(whole.memory[3] > 0, true);

  drop("batch", "data");
  session.waitForAnalysis();
  Figures split = figuresOf(session.analysis());
  QVERIFY(split.legal());
  QVERIFY(split.flops < whole.flops);
  QVERIFY(split.memory[3] < whole.memory[3]);  // activations
  QCOMPARE(split.memory[0], whole.memory[0]);  // parameters stay whole
  session.document().undo();
  QCOMPARE(session.document().format().print(session.document().plan()), before);
  session.document().redo();
  session.waitForAnalysis();
  QCOMPARE(figuresOf(session.analysis()), split);
}

void FlowTest::anIllegalDropIsRefusedByTheRealCheck() {
  int steps = static_cast<int>(window_->session().document().history().size());
  window_->session().setDragged({Selection::Kind::dimension, {"seq"}});
  QVERIFY(!window_->findChild<AxisChip*>("axis:data")->data().refusal.isEmpty());
  window_->session().setDragged({});
  drop("seq", "data");
  QCOMPARE(static_cast<int>(window_->session().document().history().size()), steps);
}

void FlowTest::savesAndReopensEqual() {
  QString path = folder_.filePath("flow.plan.json");
  window_->session().document().saveAs(path);
  core::Plan saved = window_->session().document().plan();
  QVERIFY(window_->files().openPath(path));
  QVERIFY(window_->session().document().plan() == saved);
  window_->session().waitForAnalysis();
}

void FlowTest::exportsTheLayoutThatIsShown() {
  QString path = folder_.filePath("flow.layout.json");
  QVERIFY(write("layout-json", path));
  core::LayoutFile file = core::readLayoutFile(path.toStdString());
  QVERIFY(file.layout == window_->session().document().plan().variant().layout);
  QVERIFY(!file.tensors.empty());
  window_->session().apply("clear", [](core::Plan plan) { return core::setLayout(std::move(plan), {}); });
  QVERIFY(window_->files().openPath(path));  // the same file, taken back
  QVERIFY(file.layout == window_->session().document().plan().variant().layout);
}

// An edit whose estimate is not there yet is in the file all the same.
void FlowTest::exportsTheLastEdit() {
  const QString path = folder_.filePath("edited.layout.json");
  const core::Layout before = window_->session().document().plan().variant().layout;
  QVERIFY(window_->session().apply("clear", [](core::Plan plan) { return core::setLayout(std::move(plan), {}); }));
  QVERIFY(window_->session().stale());
  QVERIFY(write("layout-json", path));
  const core::LayoutFile file = core::readLayoutFile(path.toStdString());
  QVERIFY(file.layout == core::Layout{});
  window_->session().document().undo();
  window_->session().waitForAnalysis();
  QVERIFY(window_->session().document().plan().variant().layout == before);
}

void FlowTest::aRunIsWatchedAndStopped() {
  for (const char* program : {"/meshwright-cli", "/meshwright-rank"})
    QVERIFY2(QFileInfo(QStringLiteral(MESHWRIGHT_BIN) + program).isExecutable(),
             qPrintable(QStringLiteral("%1 is not built: build all before testing").arg(program + 1)));
  QVERIFY2(!QStandardPaths::findExecutable("mpirun").isEmpty(), "mpirun is not installed: packaging/install-dependencies");
  window_->findChild<QSpinBox*>("runSteps")->setValue(100000);
  window_->findChild<QPushButton*>("runStart")->click();
  RunWatch& run = window_->session().run();
  QVERIFY2(run.isOpen(), qPrintable(run.problem()));
  runFolder_ = QString::fromStdString(run.folder().path);
  QTRY_VERIFY2_WITH_TIMEOUT(run.steps().size() >= 3 || !run.live(), qPrintable(run.problem()), 90000);
  QVERIFY2(run.live(), qPrintable(run.problem()));
  QCOMPARE(run.ranks(), 2);
  QTRY_VERIFY_WITH_TIMEOUT(!run.trace().spans.empty(), 30000);
  auto* timeline = window_->findChild<Timeline*>("timeline");
  QTRY_COMPARE(timeline->data().rows.size(), 2u);
  QVERIFY(timeline->data().sliceCount() > 0);

  window_->findChild<QPushButton*>("runStop")->click();
  QTRY_VERIFY2_WITH_TIMEOUT(run.state() == RunWatch::State::stopped, qPrintable(run.problem()), 60000);
  QTRY_VERIFY_WITH_TIMEOUT(run.comparison(), 60000);
  QVERIFY2(run.comparison()->comparison.exact, run.comparison()->comparison.differences.empty()
                                                   ? ""
                                                   : run.comparison()->comparison.differences.front().c_str());
  QVERIFY(window_->session().document().plan().runs.back() == runFolder_.toStdString());

  // What the machine of the plan would need stands under each measured step of each rank.
  QTRY_VERIFY_WITH_TIMEOUT(run.prediction(), 60000);
  QVERIFY2(run.prediction()->missing.isEmpty(), qPrintable(run.prediction()->missing));
  for (const TimelineRow& row : timeline->data().rows) {
    QVERIFY(row.predicted.seconds > 0);
    QVERIFY(row.predicted.lanes[0].size() > 0);
    QCOMPARE(row.steps.size(), run.steps().size());
  }
  QVERIFY(window_->findChild<QLabel*>("timelineNote")->text().contains(run.prediction()->machine));

  // Its trace is written as the command line writes it.
  QVERIFY(write("measured-trace", folder_.filePath("window.trace.json")));
  QProcess cli;
  cli.start(QStringLiteral(MESHWRIGHT_BIN "/meshwright-cli"), {"export", runFolder_, "--as", "chrome-trace", "-o", folder_.filePath("cli.trace.json")});
  QVERIFY2(cli.waitForFinished(60000) && cli.exitCode() == 0, cli.readAllStandardError());
  QFile here(folder_.filePath("window.trace.json")), there(folder_.filePath("cli.trace.json"));
  QVERIFY(here.open(QFile::ReadOnly) && there.open(QFile::ReadOnly));
  const QJsonArray events = QJsonDocument::fromJson(here.readAll())["traceEvents"].toArray();
  QVERIFY(events.size() > static_cast<qsizetype>(run.trace().spans.size()));
  QCOMPARE(events, QJsonDocument::fromJson(there.readAll())["traceEvents"].toArray());

  QTest::keyClick(timeline, Qt::Key_A);
  QVERIFY2(timeline->stateText().isEmpty(), "a run that is over is not paused");
}

void FlowTest::theRunIsThereAgainInAnotherWindow() {
  QVERIFY2(!runFolder_.isEmpty(), "there was no run");
  MainWindow other(WindowOptions{folder_.filePath("recovery2"), false});
  other.session().openRun(runFolder_);
  QCOMPARE(other.session().run().state(), RunWatch::State::stopped);
  QCOMPARE(other.session().run().steps(), window_->session().run().steps());
  QTRY_VERIFY_WITH_TIMEOUT(other.session().run().comparison(), 60000);
  window_->session().document().close();
  window_.reset();
}

// Where something failed, no run goes on without anybody.
void FlowTest::cleanupTestCase() {
  if (!window_ || !window_->session().run().live()) return;
  window_->session().run().requestStop();
  QTRY_VERIFY_WITH_TIMEOUT(!window_->session().run().live(), 30000);
}

QTEST_MAIN(FlowTest)
#include "flow_test.moc"
