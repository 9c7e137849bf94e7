#include "ui/panels/estimate_panel.h"

#include <QApplication>
#include <QDir>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/several_plans.h"
#include "tests/support/short_machine.h"
#include "ui/models/shortage_rows.h"
#include "ui/session/session.h"
#include "ui/theme/theme.h"

using namespace ui;

// A plan that its machine does not hold: what is said, and a click on what helps.
class EstimatePanelTest : public QObject {
  Q_OBJECT

 private slots:
  void init();
  void cleanup();
  void saysWhatTakesTheMemory();
  void aCauseSelectsItsTensors();
  void aClickIsOneUndoEntryAndComesToWhatItSaid();
  void theKeyboardComesToTheSame();
  void nothingCanBeClickedWhileItIsStale();
  void aPlanThatFitsShowsNothingOfIt();
  void pictures();

 private:
  QLabel* label(const char* name) { return panel_->findChild<QLabel*>(name); }
  QPushButton* button(int i) { return panel_->findChild<QPushButton*>(QStringLiteral("relief:%1").arg(i)); }

  QTemporaryDir folder_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<EstimatePanel> panel_;
};

void EstimatePanelTest::init() {
  applyAppearance(*qApp, Appearance::light);
  session_ = std::make_unique<Session>();
  session_->document().show(
      tests::tooLarge(tests::severalPlans().front().second, "v100", 0.8, folder_.filePath("small.json").toStdString()));
  panel_ = std::make_unique<EstimatePanel>(*session_);
  panel_->resize(945, 260);
  panel_->show();
  QVERIFY(QTest::qWaitForWindowExposed(panel_.get()));
  session_->waitForAnalysis();
  session_->shortage().wait();
}

void EstimatePanelTest::cleanup() {
  panel_.reset();
  session_.reset();
}

void EstimatePanelTest::saysWhatTakesTheMemory() {
  QVERIFY(label("estimateSource")->text().contains("Does not fit"));
  QVERIFY(label("shortageCauses")->isVisibleTo(panel_.get()));
  QStringList rows = label("shortageCauses")->text().split("<br>");
  QCOMPARE(rows.size(), 5);
  const core::PeakCause& first = session_->shortage().causes().front();
  QVERIFY2(rows[0].contains(QString::fromStdString(first.name)), qPrintable(rows[0]));
  QVERIFY2(first.buffers == 1 || rows[0].contains(QStringLiteral("×%1").arg(first.buffers)), qPrintable(rows[0]));
  for (int i = 0; i < 3; ++i) {
    QVERIFY(button(i) && button(i)->isEnabled());
    QVERIFY2(button(i)->text().contains("peak") && button(i)->text().contains("step"), qPrintable(button(i)->text()));
    QVERIFY(button(i)->accessibleName().startsWith(editOf(session_->shortage().offers()[std::size_t(i)].relief).name));
  }
}

void EstimatePanelTest::aCauseSelectsItsTensors() {
  emit label("shortageCauses")->linkActivated("0");
  QCOMPARE(session_->selection().kind, Selection::Kind::tensor);
  QCOMPARE(session_->selection().names.front(), QString::fromStdString(session_->shortage().causes()[0].tensors[0]));
}

void EstimatePanelTest::aClickIsOneUndoEntryAndComesToWhatItSaid() {
  ReliefOffer offer = session_->shortage().offers().front();
  std::string before = session_->document().format().print(session_->document().plan());
  std::size_t steps = session_->document().history().size();
  QSignalSpy analysed(session_.get(), &Session::analysisChanged);
  QTest::mouseClick(button(0), Qt::LeftButton);
  QCOMPARE(session_->document().history().size(), steps + 1);
  QCOMPARE(session_->document().undoName(), editOf(offer.relief).name);
  session_->waitForAnalysis();
  QCOMPARE(analysed.count(), 1);
  QCOMPARE(figuresOf(session_->analysis()), offer.effect.after);
  QVERIFY(offer.reached.fits);
  QVERIFY(!label("shortageCauses")->isVisibleTo(panel_.get()));
  QVERIFY(!button(0));
  session_->document().undo();
  QCOMPARE(session_->document().format().print(session_->document().plan()), before);
  session_->waitForAnalysis();
  session_->shortage().wait();
  QVERIFY(button(0) && button(0)->isEnabled());
}

void EstimatePanelTest::theKeyboardComesToTheSame() {
  ReliefOffer offer = session_->shortage().offers()[1];
  button(1)->setFocus();
  QTest::keyClick(button(1), Qt::Key_Space);
  session_->waitForAnalysis();
  QCOMPARE(figuresOf(session_->analysis()), offer.effect.after);
}

void EstimatePanelTest::nothingCanBeClickedWhileItIsStale() {
  session_->apply("other", [](core::Plan plan) { return core::setMachine(std::move(plan), "v100"); });
  QVERIFY(session_->stale());
  for (int i = 0; i < 3; ++i) QVERIFY(!button(i) || !button(i)->isEnabled());
  session_->waitForAnalysis();
}

void EstimatePanelTest::aPlanThatFitsShowsNothingOfIt() {
  session_->apply("large", [](core::Plan plan) { return core::setMachine(std::move(plan), "v100"); });
  session_->waitForAnalysis();
  QVERIFY(!label("estimateSource")->text().contains("Does not fit"));
  QVERIFY(!label("shortageCauses")->isVisibleTo(panel_.get()));
  QVERIFY(!panel_->findChild<QWidget*>("shortageReliefs")->isVisibleTo(panel_.get()));
}

// For a person to look at.
void EstimatePanelTest::pictures() {
  QDir dir(QStringLiteral(MESHWRIGHT_BIN "/../screenshots"));
  dir.mkpath(".");
  for (auto [appearance, word] : {std::pair{Appearance::light, "light"}, {Appearance::dark, "dark"}}) {
    applyAppearance(*qApp, appearance);
    EstimatePanel panel(*session_);
    panel.resize(945, 260);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    QTest::qWait(20);
    QVERIFY(panel.grab().save(dir.filePath(QStringLiteral("estimate_does_not_fit_%1.png").arg(word))));
  }
}

QTEST_MAIN(EstimatePanelTest)
#include "estimate_panel_test.moc"
