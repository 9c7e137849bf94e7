#include "ui/main_window/main_window.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMimeData>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>

#include "../fake_analysis.h"
#include "core/io/plan_file.h"
#include "core/plan/edit/layout.h"
#include "ui/main_window/canvas_view.h"
#include "ui/main_window/command_palette.h"
#include "ui/main_window/file_flow.h"
#include "ui/main_window/workspaces.h"
#include "ui/models/layout_edits.h"
#include "ui/panels/panels.h"
#include "ui/theme/theme.h"

using namespace ui;

class MainWindowTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void init();
  void cleanup();
  void everyWidgetAndActionIsNamed();
  void everyActionOfTheTableDoesSomething();
  void everyMenuItemShowsItsKey();
  void everyPanelIsInTheViewMenu();
  void undoAndRedoSayWhatTheyDo();
  void theTitleSaysWhatIsNotSaved();
  void aDroppedFileIsOpened();
  void aBrokenFileIsReportedAndNothingIsLost();
  void theCommandPaletteRunsWhatIsTyped();
  void goToSelectsATensor();
  void selectionIsTheSameEverywhere();
  void workspacesShowTheirPanels();
  void whatWasOpenedBeforeLeavesTheDocksTheirHeight();
  void presetsAreOneClick();
  void twoVariantsStandSideBySide();
  void themesApply();
  void pictures();

 private:
  QTemporaryDir folder_;
  std::unique_ptr<MainWindow> window_;
};

void MainWindowTest::initTestCase() {
  QStandardPaths::setTestModeEnabled(true);
  QCoreApplication::setOrganizationName("MeshwrightTest");
  applyAppearance(*qApp, Appearance::light);
}

void MainWindowTest::init() {
  window_ = std::make_unique<MainWindow>(fakeAnalysis, WindowOptions{folder_.filePath("recovery"), false});
  window_->session().document().show(smallPlan());
  window_->resize(1280, 720);
  window_->show();
  QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
  window_->session().waitForAnalysis();
}

void MainWindowTest::cleanup() {
  window_->session().document().close();
  window_.reset();
}

namespace {

// Parts that Qt makes inside its own widgets.
bool isQtsOwn(const QWidget* widget) {
  static const char* const kinds[] = {
      "QScrollBar",  "QAbstractItemView",         "QHeaderView",        "QTableCornerButton", "QSplitterHandle",
      "QTabBar",     "QDockWidgetTitleButton",    "QToolBarExtension",  "QMenuBarExtension",  "QDockWidgetGroupWindow",
      "QRubberBand", "QComboBoxPrivateContainer", "QLineEditIconButton"};
  for (const char* kind : kinds)
    if (QByteArray(widget->metaObject()->className()) == kind) return true;
  return widget->objectName().startsWith("qt_") || widget->objectName().startsWith("_q_") ||
         widget->objectName() == "ScrollLeftButton" || widget->objectName() == "ScrollRightButton";
}

bool isInput(const QWidget* widget) {
  return widget->focusPolicy() & Qt::TabFocus && widget->isVisibleTo(widget->window());
}

}  // namespace

void MainWindowTest::everyWidgetAndActionIsNamed() {
  window_->session().select({Selection::Kind::tensor, {"W"}});
  QStringList nameless;
  for (const QWidget* widget : window_->findChildren<QWidget*>()) {
    if (isQtsOwn(widget) || !isInput(widget)) continue;
    if (isQtsOwn(widget->parentWidget()) || qobject_cast<QComboBox*>(widget->parentWidget())) continue;
    if (widget->inherits("QAbstractSpinBox") == false && widget->parentWidget() &&
        widget->parentWidget()->inherits("QAbstractSpinBox"))
      continue;
    if (widget->objectName().isEmpty() || widget->accessibleName().isEmpty())
      nameless << QStringLiteral("%1 '%2' '%3' in '%4'")
                      .arg(widget->metaObject()->className(), widget->objectName(), widget->accessibleName(),
                           widget->parentWidget() ? widget->parentWidget()->objectName() : QString());
  }
  for (const QAction* action : window_->actions().all())
    if (action->objectName().isEmpty() || actionTitle(action).isEmpty()) nameless << "action " + action->text();
  QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join("\n")));
}

// How many slots a signal reaches; Qt tells it to derived classes only.
struct Receivers : QObject {
  static int of(const QObject* object, const char* signal) { return (object->*&Receivers::receivers)(signal); }
};

void MainWindowTest::everyActionOfTheTableDoesSomething() {
  QStringList idle;
  for (const ActionInfo& info : actionTable())
    if (*info.text && !window_->actions()[info.id]->isCheckable() &&
        Receivers::of(window_->actions()[info.id], SIGNAL(triggered(bool))) == 0)
      idle << info.id;
  QVERIFY2(idle.isEmpty(), qPrintable(idle.join(", ")));
}

void MainWindowTest::everyMenuItemShowsItsKey() {
  QSet<QString> taken;
  for (const ActionInfo& info : actionTable()) {
    if (!*info.text) continue;
    for (const QKeySequence& key : window_->actions()[info.id]->shortcuts()) {
      QVERIFY2(!key.toString().isEmpty(), info.id);
      QVERIFY2(!taken.contains(key.toString()), qPrintable(QStringLiteral("%1 is taken twice").arg(key.toString())));
      taken << key.toString();
    }
  }
}

void MainWindowTest::everyPanelIsInTheViewMenu() {
  for (const PanelInfo& info : panels()) {
    QDockWidget* dock = window_->workspaces().dock(info.id);
    QVERIFY2(dock && dock->widget(), info.id);
    QVERIFY(window_->findChild<QAction*>(QStringLiteral("panel:%1").arg(info.id)));
  }
}

void MainWindowTest::undoAndRedoSayWhatTheyDo() {
  QAction* undo = window_->actions()["edit.undo"];
  QVERIFY(!undo->isEnabled());
  window_->session().apply("Split batch over data", splitDimension("batch", "data").edit);
  QVERIFY(undo->isEnabled());
  QVERIFY(actionTitle(undo).contains("Split batch over data"));
  undo->trigger();
  QVERIFY(window_->session().document().plan() == smallPlan());
  window_->actions()["edit.redo"]->trigger();
  QCOMPARE(window_->session().document().plan().variant().layout.rules.size(), 1u);
}

void MainWindowTest::theTitleSaysWhatIsNotSaved() {
  window_->session().document().saveAs(folder_.filePath("a.plan.json"));
  QVERIFY(window_->windowTitle().contains("a.plan.json"));
  QVERIFY(!window_->isWindowModified());
  window_->session().apply("one", splitDimension("batch", "data").edit);
  QVERIFY(window_->isWindowModified());
  window_->actions()["file.save"]->trigger();
  QVERIFY(!window_->isWindowModified());
}

void MainWindowTest::aDroppedFileIsOpened() {
  core::Plan other = core::addRule(smallPlan(), "ffn", "model");
  QString path = folder_.filePath("dropped.plan.json");
  core::writePlan(other, path.toStdString());
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(path)});
  QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(window_.get(), &enter);
  QVERIFY(enter.isAccepted());
  QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(window_.get(), &drop);
  QTRY_VERIFY(window_->session().document().plan() == other);
}

void MainWindowTest::aBrokenFileIsReportedAndNothingIsLost() {
  QFile file(folder_.filePath("broken.plan.json"));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write("{\"format\":");
  file.close();
  QSignalSpy failed(&window_->session(), &Session::failed);
  QVERIFY(!window_->files().openPath(file.fileName()));
  QCOMPARE(failed.count(), 1);
  QVERIFY(failed[0][0].toString().contains("broken.plan.json"));
  QVERIFY(window_->session().document().plan() == smallPlan());
  QVERIFY(window_->findChild<QLabel*>("statusHint")->text().contains("broken.plan.json"));
}

void MainWindowTest::theCommandPaletteRunsWhatIsTyped() {
  window_->actions()["edit.palette"]->trigger();
  auto* input = window_->findChild<QLineEdit*>("paletteInput");
  QVERIFY(input->isVisible());
  QTest::keyClicks(input, "megatr");
  QTest::keyClick(input, Qt::Key_Return);
  QCOMPARE(core::ruleAxes(window_->session().document().plan().variant().layout, "ffn"),
           std::vector<std::string>{"model"});
  QVERIFY(!input->isVisible());
}

void MainWindowTest::goToSelectsATensor() {
  window_->actions()["edit.goTo"]->trigger();
  auto* input = window_->findChild<QLineEdit*>("paletteInput");
  QTest::keyClicks(input, "W");
  QTest::keyClick(input, Qt::Key_Return);
  QVERIFY(window_->session().selection().holds(Selection::Kind::tensor, "W"));
}

void MainWindowTest::selectionIsTheSameEverywhere() {
  window_->session().select({Selection::Kind::tensor, {"W"}});
  QVERIFY(window_->findChild<QLabel*>("inspectorTitle")->text().contains("W"));
  QVERIFY(window_->findChild<QWidget*>("tensorDimension:ffn"));
  QCOMPARE(window_->view().canvas().selection().size(), 1u);
  QVERIFY(window_->view().canvas().selection()[0].kind == SceneRef::Kind::tensor);
  window_->session().select({Selection::Kind::dimension, {"ffn"}});
  QVERIFY(window_->findChild<QLabel*>("inspectorTitle")->text().contains("ffn"));
}

void MainWindowTest::workspacesShowTheirPanels() {
  for (const auto& [action, panel] :
       {std::pair{"view.compare", "compare"}, {"view.run", "timeline"}, {"view.design", "estimate"}}) {
    window_->actions()[action]->trigger();
    QTRY_VERIFY2(window_->workspaces().dock(panel)->isVisible(), panel);
  }
  window_->workspaces().dock("estimate")->hide();
  window_->actions()["view.reset"]->trigger();
  QTRY_VERIFY(window_->workspaces().dock("estimate")->isVisible());
}

void MainWindowTest::whatWasOpenedBeforeLeavesTheDocksTheirHeight() {
  for (int i = 0; i < 9; ++i) {
    QString path = folder_.filePath(QStringLiteral("%1.plan.json").arg(i));
    window_->session().document().saveAs(path);
    window_->files().recent().add(path);
  }
  window_->session().document().close();
  window_->session().document().show(smallPlan());
  window_->workspaces().show('r');
  window_->workspaces().reset();
  window_->settle();
  auto* timeline = window_->findChild<QWidget*>("timelinePanel");
  QVERIFY2(timeline->height() >= 250, qPrintable(QString::number(timeline->height())));
}

void MainWindowTest::presetsAreOneClick() {
  window_->actions()["layout.dataParallel"]->trigger();
  QCOMPARE(core::ruleAxes(window_->session().document().plan().variant().layout, "batch"),
           (std::vector<std::string>{"data", "model"}));
  QCOMPARE(window_->session().document().history().size(), 2);
}

void MainWindowTest::twoVariantsStandSideBySide() {
  window_->actions()["layout.duplicate"]->trigger();
  window_->actions()["layout.megatron"]->trigger();
  window_->session().waitForAnalysis();
  window_->session().waitForAnalysis();
  auto* figures = window_->findChild<QAbstractItemView*>("compareFigures");
  QTRY_VERIFY(figures->model()->rowCount() > 0);
  auto* choices = window_->findChild<QAbstractItemView*>("compareChoices");
  QCOMPARE(choices->model()->rowCount(), 2);  // batch, ffn
  QMetaObject::invokeMethod(window_->findChild<QWidget*>("compareTake"), "click");
  QVERIFY(window_->session().document().plan().variants[0].layout ==
          window_->session().document().plan().variants[1].layout);
}

void MainWindowTest::themesApply() {
  window_->actions()["view.themeDark"]->trigger();
  QVERIFY(theme().dark);
  window_->actions()["view.themeLight"]->trigger();
  QVERIFY(!theme().dark);
}

// Written beside the tests' binaries, to be looked at.
void MainWindowTest::pictures() {
  QDir().mkpath(QStringLiteral(MESHWRIGHT_SOURCE) + "/tests/screenshots");
  for (bool dark : {false, true}) {
    applyAppearance(*qApp, dark ? Appearance::dark : Appearance::light);
    for (QSize size : {QSize(1280, 720), QSize(1920, 1080)}) {
      window_->resize(size);
      window_->settle();
      QString file = QStringLiteral("%1/tests/screenshots/window_%2x%3_%4.png")
                         .arg(MESHWRIGHT_SOURCE)
                         .arg(size.width())
                         .arg(size.height())
                         .arg(dark ? "dark" : "light");
      QPixmap picture = window_->grab();
      QCOMPARE(picture.size(), size);
      QVERIFY(picture.save(file));
    }
  }
  applyAppearance(*qApp, Appearance::light);
}

QTEST_MAIN(MainWindowTest)
#include "main_window_test.moc"
