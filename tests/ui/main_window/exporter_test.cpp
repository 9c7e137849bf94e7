#include "ui/main_window/exporter.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QProcess>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include "core/io/exports.h"
#include "core/io/layout_file.h"
#include "core/plan/edit/layout.h"
#include "core/plan/edit/variants.h"
#include "ui/main_window/file_flow.h"
#include "ui/main_window/main_window.h"
#include "ui/theme/theme.h"

using namespace ui;

namespace {

const QString sample = QStringLiteral(MESHWRIGHT_SOURCE "/samples/plans/transformer.plan.json");

QByteArray contents(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// What a trace is called differs: the command line names all that may be overridden.
QByteArray withoutTitle(const QByteArray& trace) {
  return trace.mid(trace.indexOf("\"displayTimeUnit\""));
}

}  // namespace

class ExporterTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void init();
  void cleanup();
  void offersWhatIsOpen();
  void theDialogOffersEveryForm();
  void writesWhatTheCommandLineWrites_data();
  void writesWhatTheCommandLineWrites();
  void writesBehindTheWindowInTheOrderAsked();
  void anEditWithoutItsEstimateIsWritten();
  void anIllegalLayoutIsRefusedAndStillDrawn();
  void withoutAMachineThereIsNoTrace();
  void theTraceOfARunNeedsARun();
  void aMissingChildIsNamed();
  void aHangingChildIsEndedAndAPlainerPictureTried();
  void theWindowClosesWhileAChildHangs();
  void aFileThatCannotBeWrittenIsReported();
  void copiesTheLayout();

 private:
  bool write(const std::string& form, const QString& path);
  QString child(const QString& name, const QByteArray& script);
  QTemporaryDir folder_;
  std::unique_ptr<MainWindow> window_;
  QStringList failed_, said_;
};

void ExporterTest::initTestCase() {
  QStandardPaths::setTestModeEnabled(true);
  applyAppearance(*qApp, Appearance::light);
}

void ExporterTest::init() {
  failed_.clear();
  said_.clear();
  window_ = std::make_unique<MainWindow>(WindowOptions{folder_.filePath("recovery"), false});
  window_->exporter().setLayoutProgram(QStringLiteral(MESHWRIGHT_BIN "/meshwright-layout"));
  QVERIFY(window_->files().openPath(sample));
  window_->session().waitForAnalysis();
  connect(&window_->session(), &Session::failed, this, [this](const QString& one) { failed_ << one; });
  connect(&window_->session(), &Session::said, this, [this](const QString& one) { said_ << one; });
}

void ExporterTest::cleanup() {
  if (window_) window_->session().document().close();
  window_.reset();
}

bool ExporterTest::write(const std::string& form, const QString& path) {
  QSignalSpy written(&window_->exporter(), &Exporter::written);
  window_->exporter().write(form, path);
  while (written.isEmpty() && written.wait(60000)) continue;
  return !written.isEmpty() && written.first().at(1).toBool();
}

QString ExporterTest::child(const QString& name, const QByteArray& script) {
  QFile file(folder_.filePath(name));
  if (file.open(QFile::WriteOnly)) file.write("#!/bin/sh\n" + script);
  file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  return file.fileName();
}

void ExporterTest::offersWhatIsOpen() {
  QCOMPARE(window_->exporter().offered().size(), core::exports().size() - 1);  // all but that of a run
  QVERIFY(window_->actions()["file.exportAs"]->isEnabled());
  window_->session().document().close();
  QVERIFY(window_->exporter().offered().empty());
  QVERIFY(!window_->actions()["file.exportAs"]->isEnabled());
}

// By the action, through the dialog, to the file.
void ExporterTest::theDialogOffersEveryForm() {
  QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
  QStringList filters;
  QTimer::singleShot(0, this, [&] {
    auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    if (!dialog) return;
    filters = dialog->nameFilters();
    dialog->selectNameFilter("Graph as SVG (*.svg)");
    dialog->findChild<QLineEdit*>("fileNameEdit")->setText(folder_.filePath("asked"));
    static_cast<QDialog*>(dialog)->accept();
  });
  QSignalSpy written(&window_->exporter(), &Exporter::written);
  window_->actions()["file.exportAs"]->trigger();
  QTRY_COMPARE_WITH_TIMEOUT(written.count(), 1, 60000);
  QCOMPARE(static_cast<std::size_t>(filters.size()), core::exports().size() - 1);
  QVERIFY(contents(folder_.filePath("asked.svg")).contains("<svg"));
}

void ExporterTest::writesWhatTheCommandLineWrites_data() {
  QTest::addColumn<QString>("form");
  for (const core::Export& form : core::exports())
    if (form.wants != core::ExportWants::run)
      QTest::newRow(std::string(form.name).c_str()) << QString::fromStdString(std::string(form.name));
}

void ExporterTest::writesWhatTheCommandLineWrites() {
  QFETCH(QString, form);
  QString here = folder_.filePath("window"), there = folder_.filePath("command-line");
  QVERIFY2(write(form.toStdString(), here), qPrintable(failed_.join("\n")));
  QProcess cli;
  cli.start(QStringLiteral(MESHWRIGHT_BIN "/meshwright-cli"), {"export", sample, "--as", form, "-o", there});
  QVERIFY2(cli.waitForFinished(60000) && cli.exitCode() == 0, cli.readAllStandardError());
  QVERIFY(contents(here).size() > 10);
  if (form == "chrome-trace")
    QCOMPARE(withoutTitle(contents(here)), withoutTitle(contents(there)));
  else if (form == "pdf")  // holds the time at which it was made
    QVERIFY(contents(here).startsWith("%PDF") && contents(there).startsWith("%PDF"));
  else
    QCOMPARE(contents(here), contents(there));
}

void ExporterTest::writesBehindTheWindowInTheOrderAsked() {
  QSignalSpy written(&window_->exporter(), &Exporter::written);
  for (const char* name : {"1.png", "2.dot", "3.svg"})
    window_->exporter().write(QString(name).section('.', 1).toStdString(), folder_.filePath(name));
  QVERIFY(window_->exporter().busy());
  QVERIFY(!QFileInfo::exists(folder_.filePath("1.png")));
  QTRY_COMPARE_WITH_TIMEOUT(written.count(), 3, 60000);
  for (int i = 0; i < 3; ++i) QVERIFY(written[i].at(0).toString().contains(QString::number(i + 1) + '.'));
  QVERIFY(!window_->exporter().busy());
}

void ExporterTest::anEditWithoutItsEstimateIsWritten() {
  window_->session().apply(
      "one rule", [](core::Plan plan) { return core::setLayout(std::move(plan), core::Layout::of("batch:data")); });
  QVERIFY(window_->session().stale());
  QString path = folder_.filePath("stale.layout.json");
  QVERIFY(write("layout-json", path));
  core::LayoutFile file = core::readLayoutFile(path.toStdString());
  QVERIFY(file.layout == core::Layout::of("batch:data"));
  QVERIFY(!file.tensors.empty());
  window_->session().waitForAnalysis();
}

void ExporterTest::anIllegalLayoutIsRefusedAndStillDrawn() {
  window_->session().apply("illegal", [](core::Plan plan) {
    return core::setLayout(std::move(plan), core::Layout::of("batch:data;seq:data"));
  });
  window_->session().waitForAnalysis();
  QVERIFY(!write("partition-spec", folder_.filePath("refused.py")));
  QVERIFY2(failed_.join("").contains("data"), qPrintable(failed_.join("\n")));
  QVERIFY(!QFileInfo::exists(folder_.filePath("refused.py")));
  QVERIFY(write("dot", folder_.filePath("drawn.dot")));
  QVERIFY(contents(folder_.filePath("drawn.dot")).startsWith("digraph"));
}

void ExporterTest::withoutAMachineThereIsNoTrace() {
  window_->session().apply("no machine", [](core::Plan plan) { return core::setMachine(std::move(plan), {}); });
  window_->session().waitForAnalysis();
  QVERIFY(!write("chrome-trace", folder_.filePath("none.json")));
  QVERIFY2(failed_.join("").contains("machine"), qPrintable(failed_.join("\n")));
  QVERIFY(write("estimate-csv", folder_.filePath("bytes.csv")));
}

void ExporterTest::theTraceOfARunNeedsARun() {
  QVERIFY(!write("measured-trace", folder_.filePath("no-run.json")));
  QVERIFY2(failed_.join("").contains("no run is open"), qPrintable(failed_.join("\n")));
}

void ExporterTest::aMissingChildIsNamed() {
  window_->exporter().setLayoutProgram(folder_.filePath("nowhere/meshwright-layout"));
  QVERIFY(!write("svg", folder_.filePath("missing.svg")));
  QVERIFY2(failed_.join("").contains("Graphviz") && failed_.join("").contains("nowhere"),
           qPrintable(failed_.join("\n")));
  window_->exporter().setLayoutProgram({});
  QVERIFY(!write("png", folder_.filePath("missing.png")));
  QCOMPARE(failed_.size(), 2);
  QVERIFY(write("dot", folder_.filePath("there.dot")));
}

void ExporterTest::aHangingChildIsEndedAndAPlainerPictureTried() {
  // Hangs while edges are curves, which only the first attempt asks for.
  window_->exporter().setLayoutProgram(child(
      "fails-at-first",
      "if [ -e \"$0.again\" ]; then cat > /dev/null; echo '<svg/>'; else touch \"$0.again\"; exec sleep 60; fi\n"));
  window_->exporter().setDeadline(500);
  QVERIFY2(write("svg", folder_.filePath("plain.svg")), qPrintable(failed_.join("\n")));
  QCOMPARE(contents(folder_.filePath("plain.svg")), QByteArray("<svg/>\n"));
  QVERIFY2(said_.last().contains("no picture with curved edges"), qPrintable(said_.last()));

  window_->exporter().setLayoutProgram(child("fails", "echo 'out of luck' >&2; exit 2\n"));
  QVERIFY(!write("svg", folder_.filePath("none.svg")));
  QVERIFY2(failed_.join("").contains("out of luck"), qPrintable(failed_.join("\n")));
  QVERIFY(!QFileInfo::exists(folder_.filePath("none.svg")));
}

void ExporterTest::theWindowClosesWhileAChildHangs() {
  const QString started = folder_.filePath("started");
  window_->exporter().setLayoutProgram(child("hangs", "touch '" + started.toUtf8() + "'; exec sleep 60\n"));
  window_->exporter().write("svg", folder_.filePath("never.svg"));
  QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(started), 20000);
  QElapsedTimer clock;
  clock.start();
  window_->session().document().close();
  window_.reset();
  QVERIFY2(clock.elapsed() < 5000, qPrintable(QString::number(clock.elapsed())));
}

void ExporterTest::aFileThatCannotBeWrittenIsReported() {
  QVERIFY(!write("dot", folder_.filePath("nowhere/graph.dot")));
  QVERIFY2(failed_.join("").contains("nowhere"), qPrintable(failed_.join("\n")));
}

void ExporterTest::copiesTheLayout() {
  window_->actions()["file.copyLayout"]->trigger();
  QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("batch:data;heads:model;ffn:model;vocab:model"));
}

QTEST_MAIN(ExporterTest)
#include "exporter_test.moc"
