#include <QApplication>
#include <QDir>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include "../fake_analysis.h"
#include "core/plan/edit/layout.h"
#include "ui/main_window/main_window.h"
#include "ui/panels/parts/effect_box.h"
#include "ui/theme/theme.h"
#include "ui/widgets/chip.h"

using namespace ui;

// A real mouse on a real display: xdotool drags the chip of a dimension onto an axis. The test starts itself again
// under an Xvfb of its own; packaging/install-dependencies installs both, so it fails where one is missing.
class RealDragTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void cleanupTestCase() { window_.reset(); }
  void draggingAChipOntoAnAxisIsOneRule();
  void anIllegalDropChangesNothing();
  void escapeInMidDragChangesNothing();

 private:
  void drag(QWidget* from, QWidget* to, bool escape = false);

  QTemporaryDir folder_;
  std::unique_ptr<MainWindow> window_;
  bool boxShown_ = false;
};

static QString missingProgram() {
  for (const char* program : {"Xvfb", "xdotool"})
    if (QStandardPaths::findExecutable(program).isEmpty()) return program;
  return {};
}

void RealDragTest::initTestCase() {
  QVERIFY2(missingProgram().isEmpty(),
           qPrintable(QStringLiteral("%1 is not installed: packaging/install-dependencies").arg(missingProgram())));
  QCOMPARE(QGuiApplication::platformName(), QStringLiteral("xcb"));
  QStandardPaths::setTestModeEnabled(true);
  applyAppearance(*qApp, Appearance::light);
  window_ = std::make_unique<MainWindow>(fakeAnalysis, WindowOptions{folder_.path(), false});
  window_->session().document().show(smallPlan());
  window_->resize(1280, 800);
  window_->move(20, 20);
  window_->show();
  QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
  window_->settle();
}

// One move of the pointer at a time, from outside this process, while its own event loop goes on.
void RealDragTest::drag(QWidget* from, QWidget* to, bool escape) {
  QVERIFY(from && to && from->isVisible() && to->isVisible());
  QPoint a = from->mapToGlobal(from->rect().center()), b = to->mapToGlobal(to->rect().center());
  QStringList script{QStringLiteral("xdotool mousemove %1 %2 mousedown 1; sleep 0.15").arg(a.x()).arg(a.y())};
  for (int i = 1; i <= 12; ++i)
    script << QStringLiteral("xdotool mousemove %1 %2; sleep 0.04")
                  .arg(a.x() + (b.x() - a.x()) * i / 12)
                  .arg(a.y() + (b.y() - a.y()) * i / 12);
  script << QStringLiteral("xdotool mousemove %1 %2; sleep 0.8").arg(b.x() + 1).arg(b.y());
  if (escape) script << "xdotool key Escape; sleep 0.3";
  script << "xdotool mouseup 1";
  boxShown_ = false;
  auto seen =
      connect(&window_->session(), &Session::previewed, this, [this] { boxShown_ = window_->effectBox().isVisible(); });
  QProcess process;
  process.start("sh", {"-c", script.join("; ")});
  QTRY_VERIFY_WITH_TIMEOUT(process.state() == QProcess::NotRunning, 20000);
  QTest::qWait(400);
  disconnect(seen);
}

void RealDragTest::draggingAChipOntoAnAxisIsOneRule() {
  drag(window_->findChild<DimensionChip*>("dimension:batch"), window_->findChild<AxisChip*>("axis:data"));
  QCOMPARE(window_->session().document().history().size(), 2);
  QCOMPARE(core::ruleAxes(window_->session().document().plan().variant().layout, "batch"),
           std::vector<std::string>{"data"});
  QVERIFY(boxShown_);
  QVERIFY(!window_->effectBox().isVisible());
  QVERIFY(window_->session().dragged().empty());
  window_->session().document().undo();
}

void RealDragTest::anIllegalDropChangesNothing() {
  window_->session().apply("one", [](core::Plan plan) { return core::addRule(std::move(plan), "ffn", "model"); });
  window_->session().waitForAnalysis();
  int steps = static_cast<int>(window_->session().document().history().size());
  drag(window_->findChild<DimensionChip*>("dimension:d_model"), window_->findChild<AxisChip*>("axis:model"));
  QCOMPARE(static_cast<int>(window_->session().document().history().size()), steps);
  window_->session().document().undo();
}

void RealDragTest::escapeInMidDragChangesNothing() {
  int at = window_->session().document().position();
  drag(window_->findChild<DimensionChip*>("dimension:batch"), window_->findChild<AxisChip*>("axis:data"), true);
  QCOMPARE(window_->session().document().position(), at);
  QVERIFY(!window_->effectBox().isVisible());
}

namespace {

struct Guard : QProcess {
  ~Guard() override {
    terminate();
    if (!waitForFinished(3000)) kill();
    waitForFinished(1000);
  }
};

// The same program again, on a display of its own. Its exit code is ours.
int runUnderXvfb(char** argv) {
  QTemporaryDir folder;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  QString display = QStringLiteral(":%1").arg(100 + QCoreApplication::applicationPid() % 400);
  environment.insert("DISPLAY", display);
  environment.insert("QT_QPA_PLATFORM", "xcb");
  environment.insert("XDG_RUNTIME_DIR", folder.path());
  Guard server, manager, child;
  server.start("Xvfb", {display, "-screen", "0", "1400x900x24", "-nolisten", "tcp", "-noreset"});
  if (!server.waitForStarted()) {
    fprintf(stderr, "Xvfb does not start: %s\n", qPrintable(server.errorString()));
    return 1;
  }
  QThread::msleep(1500);
  if (!QStandardPaths::findExecutable("openbox").isEmpty()) {
    manager.setProcessEnvironment(environment);
    manager.start("openbox", {});
    QThread::msleep(700);
  }
  child.setProcessEnvironment(environment);
  child.setProcessChannelMode(QProcess::ForwardedChannels);
  child.start(QString::fromLocal8Bit(argv[0]), {});
  return child.waitForFinished(180000) && child.exitStatus() == QProcess::NormalExit ? child.exitCode() : 1;
}

}  // namespace

int main(int argc, char** argv) {
  bool inside = qgetenv("QT_QPA_PLATFORM") == "xcb";
  if (!inside && missingProgram().isEmpty()) {
    QCoreApplication application(argc, argv);
    return runUnderXvfb(argv);
  }
  QApplication application(argc, argv);
  RealDragTest test;
  return QTest::qExec(&test, argc, argv);
}

#include "real_drag_test.moc"
