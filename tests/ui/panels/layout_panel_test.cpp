#include "ui/panels/layout_panel.h"

#include <QApplication>
#include <QDragEnterEvent>
#include <QListWidget>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "../fake_analysis.h"
#include "core/plan/edit/layout.h"
#include "ui/panels/parts/edit_chooser.h"
#include "ui/panels/parts/effect_box.h"
#include "ui/session/session.h"
#include "ui/widgets/chip.h"

using namespace ui;

// The main gesture, both ways, by drag and by key; each asserts the document, one undo entry and a new estimate.
class LayoutPanelTest : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void cleanup();
  void aDimensionDroppedOnAnAxisIsARule();
  void anAxisDroppedOnADimensionIsTheSameRule();
  void anIllegalDropSaysWhyBeforeAndDoesNothing();
  void leavingInMidDragChangesNothing();
  void theBoxShowsTheEffectWhileItHovers();
  void theKeyboardComesToTheSameResult();
  void aListedAxisThatIsIllegalCannotBeChosen();
  void deleteTakesOff();
  void presetsAreOneEntryEach();
  void targetsLightUpForAnAxisFromAnotherPanel();

 private:
  template <class Chip>
  Chip* chip(const QString& name) {
    return panel_->findChild<Chip*>(name);
  }
  void hover(QWidget* target, QMimeData* data);
  void drop(QWidget* target, QMimeData* data);
  void verifyOneRule(const char* dimension, const char* axis);

  std::unique_ptr<Session> session_;
  std::unique_ptr<LayoutPanel> panel_;
  std::unique_ptr<QSignalSpy> analysed_;
};

void LayoutPanelTest::init() {
  session_ = std::make_unique<Session>(fakeAnalysis, planJson());
  session_->document().show(smallPlan());
  session_->waitForAnalysis();
  panel_ = std::make_unique<LayoutPanel>(*session_);
  panel_->resize(360, 480);
  panel_->show();
  QVERIFY(QTest::qWaitForWindowExposed(panel_.get()));
  analysed_ = std::make_unique<QSignalSpy>(session_.get(), &Session::analysisChanged);
}

void LayoutPanelTest::cleanup() {
  analysed_.reset();
  panel_.reset();
  session_.reset();
}

void LayoutPanelTest::hover(QWidget* target, QMimeData* data) {
  QPoint at = target->rect().center();
  QDragEnterEvent enter(at, Qt::CopyAction | Qt::MoveAction, data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(target, &enter);
  QDragMoveEvent move(at, Qt::CopyAction | Qt::MoveAction, data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(target, &move);
}

void LayoutPanelTest::drop(QWidget* target, QMimeData* data) {
  QDropEvent event(target->rect().center(), Qt::CopyAction | Qt::MoveAction, data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(target, &event);
}

void LayoutPanelTest::verifyOneRule(const char* dimension, const char* axis) {
  QCOMPARE(session_->document().plan().variant().layout.rules, (std::vector<core::Rule>{{dimension, {axis}}}));
  QCOMPARE(session_->document().history().size(), 2);
  QCOMPARE(session_->document().undoName(), QStringLiteral("Split %1 over %2").arg(dimension, axis));
  session_->waitForAnalysis();
  QCOMPARE(analysed_->count(), 1);
  session_->document().undo();
  QVERIFY(session_->document().plan() == smallPlan());
}

void LayoutPanelTest::aDimensionDroppedOnAnAxisIsARule() {
  std::unique_ptr<QMimeData> data(dimensionMimeData("batch"));
  hover(chip<AxisChip>("axis:data"), data.get());
  drop(chip<AxisChip>("axis:data"), data.get());
  verifyOneRule("batch", "data");
}

void LayoutPanelTest::anAxisDroppedOnADimensionIsTheSameRule() {
  std::unique_ptr<QMimeData> data(axisMimeData("data"));
  hover(chip<DimensionChip>("dimension:batch"), data.get());
  drop(chip<DimensionChip>("dimension:batch"), data.get());
  verifyOneRule("batch", "data");
}

void LayoutPanelTest::anIllegalDropSaysWhyBeforeAndDoesNothing() {
  session_->apply("one", splitDimension("ffn", "model").edit);
  session_->waitForAnalysis();
  int steps = static_cast<int>(session_->document().history().size());
  QSignalSpy failed(session_.get(), &Session::failed);
  session_->setDragged({Selection::Kind::dimension, {"d_model"}});
  AxisChip* target = chip<AxisChip>("axis:model");
  QVERIFY2(target->data().refusal.contains("ffn"), qPrintable(target->data().refusal));
  QVERIFY(chip<AxisChip>("axis:data")->data().refusal.isEmpty());
  std::unique_ptr<QMimeData> data(dimensionMimeData("d_model"));
  hover(target, data.get());
  drop(target, data.get());
  emit target->dropped("d_model");  // even if a drop got through
  QCOMPARE(static_cast<int>(session_->document().history().size()), steps);
  QVERIFY(failed.count() >= 1);
}

void LayoutPanelTest::leavingInMidDragChangesNothing() {
  std::unique_ptr<QMimeData> data(dimensionMimeData("batch"));
  hover(chip<AxisChip>("axis:data"), data.get());
  QDragLeaveEvent leave;  // what Esc in mid-drag sends, too
  QApplication::sendEvent(chip<AxisChip>("axis:data"), &leave);
  QVERIFY(!session_->document().canUndo());
  QCOMPARE(analysed_->count(), 0);
}

void LayoutPanelTest::theBoxShowsTheEffectWhileItHovers() {
  EffectBox box(*session_);
  std::unique_ptr<QMimeData> data(dimensionMimeData("batch"));
  hover(chip<AxisChip>("axis:data"), data.get());
  QTRY_VERIFY(box.isVisible());
  QTRY_VERIFY2(box.text().contains("Peak memory"), qPrintable(box.text()));
  QVERIFY(box.text().contains("Split batch over data"));
  QDragLeaveEvent leave;
  QApplication::sendEvent(chip<AxisChip>("axis:data"), &leave);
  QTRY_VERIFY(!box.isVisible());
  QVERIFY(!session_->document().canUndo());
}

void LayoutPanelTest::theKeyboardComesToTheSameResult() {
  DimensionChip* batch = chip<DimensionChip>("dimension:batch");
  batch->setFocus();
  QTest::keyClick(batch, Qt::Key_Return);
  auto* list = panel_->findChild<QListWidget*>("chooserList");
  QVERIFY(list);
  QTRY_VERIFY2(list->item(0)->text().contains("follow"), qPrintable(list->item(0)->text()));
  QVERIFY(list->item(0)->text().contains("data"));
  QTest::keyClick(list, Qt::Key_Return);
  verifyOneRule("batch", "data");
}

void LayoutPanelTest::aListedAxisThatIsIllegalCannotBeChosen() {
  session_->apply("one", splitDimension("ffn", "model").edit);
  session_->waitForAnalysis();
  DimensionChip* model = chip<DimensionChip>("dimension:d_model");
  QTest::keyClick(model, Qt::Key_Return);
  auto* list = panel_->findChild<QListWidget*>("chooserList");
  QVERIFY(list);
  QVERIFY(!(list->item(1)->flags() & Qt::ItemIsEnabled));
  QVERIFY2(list->item(1)->text().contains("ffn"), qPrintable(list->item(1)->text()));
  QTest::keyClick(list, Qt::Key_2);
  QCOMPARE(session_->document().history().size(), 2);
  QTest::keyClick(list, Qt::Key_Escape);
  QCOMPARE(session_->document().history().size(), 2);
}

void LayoutPanelTest::deleteTakesOff() {
  session_->apply("one", splitDimension("batch", "data").edit);
  QTest::keyClick(chip<DimensionChip>("dimension:batch"), Qt::Key_Delete);
  QVERIFY(session_->document().plan().variant().layout.rules.empty());
  QCOMPARE(session_->document().history().size(), 3);
}

void LayoutPanelTest::presetsAreOneEntryEach() {
  panel_->findChild<QPushButton*>("presetMegatron")->click();
  QCOMPARE(session_->document().history().size(), 2);
  QCOMPARE(core::ruleAxes(session_->document().plan().variant().layout, "ffn"), std::vector<std::string>{"model"});
  panel_->findChild<QPushButton*>("presetClear")->click();
  QCOMPARE(session_->document().history().size(), 3);
  QVERIFY(session_->document().plan().variant().layout.rules.empty());
}

void LayoutPanelTest::targetsLightUpForAnAxisFromAnotherPanel() {
  session_->apply("one", splitDimension("ffn", "model").edit);
  session_->waitForAnalysis();
  session_->setDragged({Selection::Kind::axis, {"model"}});
  QVERIFY(!chip<DimensionChip>("dimension:d_model")->data().refusal.isEmpty());
  QVERIFY(chip<DimensionChip>("dimension:batch")->data().refusal.isEmpty() ||
          chip<DimensionChip>("dimension:batch")->data().refusal.contains("ffn"));
  session_->setDragged({});
  QVERIFY(chip<DimensionChip>("dimension:d_model")->data().refusal.isEmpty());
}

QTEST_MAIN(LayoutPanelTest)
#include "layout_panel_test.moc"
