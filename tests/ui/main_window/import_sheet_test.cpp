#include <QDialog>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include "../fake_analysis.h"
#include "tests/support/onnx_bytes.h"
#include "ui/main_window/file_flow.h"
#include "ui/main_window/main_window.h"
#include "ui/theme/theme.h"

using namespace ui;

// The sheet between a file and a plan, by mouse and keys: what was found, a size for what has none, and the way out.
class ImportSheetTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void init();
  void cleanup();
  void takesTheSizeThatIsTyped();
  void leavesOpenWhatIsLeftOpen();
  void changesNothingWhenItIsCancelled();
  void saysWhatIsWrongWithACutFile();

 private:
  // Opens the file; `drive` works on the sheet once it stands.
  bool open(const QString& path, const std::function<void(QDialog&)>& drive);
  std::int64_t sizeOf(const char* dimension) const;

  QTemporaryDir folder_;
  QString model_;
  std::unique_ptr<MainWindow> window_;
};

void ImportSheetTest::initTestCase() {
  QStandardPaths::setTestModeEnabled(true);
  QCoreApplication::setOrganizationName("MeshwrightTest");
  applyAppearance(*qApp, Appearance::light);
  using namespace tests::onnx;
  tests::onnx::Graph graph;
  graph.inputs = {valueInfo("x", 1, {"batch", "6"})};
  graph.initializers = {tensor("fc.weight", {6, 4}, 1, floats(std::vector<float>(24, 0.5f)))};
  graph.nodes = {node("MatMul", {"x", "fc.weight"}, {"y"}, "/fc/MatMul")};
  graph.outputs = {valueInfo("y", 1, {"batch", "4"})};
  model_ = folder_.filePath("linear.onnx");
  QFile file(model_);
  QVERIFY(file.open(QFile::WriteOnly));
  file.write(QByteArray::fromStdString(model(graph)));
}

void ImportSheetTest::init() {
  window_ = std::make_unique<MainWindow>(fakeAnalysis, WindowOptions{folder_.filePath("recovery"), false});
  window_->session().document().show(smallPlan());
  window_->show();
  QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
  window_->session().waitForAnalysis();
}

void ImportSheetTest::cleanup() {
  window_->session().document().close();
  window_.reset();
}

bool ImportSheetTest::open(const QString& path, const std::function<void(QDialog&)>& drive) {
  QTimer look;
  look.setInterval(20);
  QObject::connect(&look, &QTimer::timeout, this, [&] {
    auto* sheet = qobject_cast<QDialog*>(QApplication::activeModalWidget());
    if (!sheet || sheet->objectName() != "importSheet") return;
    look.stop();
    drive(*sheet);
  });
  look.start();
  return window_->files().openPath(path);
}

std::int64_t ImportSheetTest::sizeOf(const char* dimension) const {
  const core::Graph& graph = *window_->session().document().plan().graph;
  const auto dim = graph.findDim(dimension);
  return dim ? graph.size(*dim) : -1;
}

void ImportSheetTest::takesTheSizeThatIsTyped() {
  QString found;
  QVERIFY(open(model_, [&](QDialog& sheet) {
    found = sheet.findChild<QLabel*>("importFound")->text();
    auto* size = sheet.findChild<QSpinBox*>("importSize:batch");
    QVERIFY(size);
    size->setFocus();
    size->selectAll();
    QTest::keyClicks(size, "12");
    QTest::mouseClick(sheet.findChild<QPushButton*>("importAccept"), Qt::LeftButton);
  }));
  QVERIFY2(found.contains("24"), qPrintable(found));  // parameters
  QCOMPARE(sizeOf("batch"), 12);
  QCOMPARE(window_->session().document().plan().name, std::string("linear"));
  QVERIFY(window_->session().document().plan().graph->findTensor("fc.weight"));
}

void ImportSheetTest::leavesOpenWhatIsLeftOpen() {
  QVERIFY(open(model_, [](QDialog& sheet) {
    auto* size = sheet.findChild<QSpinBox*>("importSize:batch");
    size->setFocus();
    size->selectAll();
    QTest::keyClicks(size, "0");
    QTest::keyClick(&sheet, Qt::Key_Return);
  }));
  QCOMPARE(sizeOf("batch"), 0);
}

void ImportSheetTest::changesNothingWhenItIsCancelled() {
  const core::Plan before = window_->session().document().plan();
  QVERIFY(!open(model_, [](QDialog& sheet) { QTest::keyClick(&sheet, Qt::Key_Escape); }));
  QVERIFY(window_->session().document().plan() == before);
}

void ImportSheetTest::saysWhatIsWrongWithACutFile() {
  QFile whole(model_);
  QVERIFY(whole.open(QFile::ReadOnly));
  const QString path = folder_.filePath("cut.onnx");
  QFile cut(path);
  QVERIFY(cut.open(QFile::WriteOnly));
  cut.write(whole.readAll().left(60));
  cut.close();
  const core::Plan before = window_->session().document().plan();
  QSignalSpy failed(&window_->session(), &Session::failed);
  bool shown = false;
  QVERIFY(!open(path, [&](QDialog& sheet) {
    shown = true;
    sheet.reject();
  }));
  QVERIFY(!shown);
  QCOMPARE(failed.count(), 1);
  QVERIFY2(failed[0][0].toString().contains("cut.onnx"), qPrintable(failed[0][0].toString()));
  QVERIFY(window_->session().document().plan() == before);
}

QTEST_MAIN(ImportSheetTest)
#include "import_sheet_test.moc"
