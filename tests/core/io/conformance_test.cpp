#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <fstream>
#include <set>

#include "core/base/error.h"
#include "core/io/import.h"
#include "tests/support/imported_values.h"
#include "tests/support/shared_models.h"

// ONNX's own node tests, and those of another importer: what is imported without an opaque operator computes what was recorded.

using namespace core;

namespace {

namespace fs = std::filesystem;

// Tests whose recorded outputs a second implementation confirmed.
std::set<std::string> confirmed(const std::string& list) {
  std::set<std::string> names;
  std::ifstream stream(list);
  for (std::string line; std::getline(stream, line);) {
    QStringList columns = QString::fromStdString(line).split('\t');
    if (columns.size() > 1 && (columns[1] == "ok" || columns[1] == "confirmed")) names.insert(columns[0].toStdString());
  }
  return names;
}

enum class Outcome { right, differs, opaque, open, refused };

Outcome outcomeOf(const std::string& folder) {
  const std::string data = folder + "/test_data_set_0";
  try {
    Import found = importModel(folder + "/model.onnx", {});
    if (!found.report.unknown.empty()) return Outcome::opaque;
    Graph bound = tests::boundByInputs(*found.graph, data);
    if (std::any_of(bound.dims.begin(), bound.dims.end(), [](const Dim& dim) { return dim.size == 0; })) return Outcome::open;
    return tests::worstError(bound, data, 1e-3, 1e-4) <= 0 ? Outcome::right : Outcome::differs;
  } catch (const Error&) {
    return Outcome::refused;
  }
}

}  // namespace

class ConformanceTest : public QObject {
  Q_OBJECT
 private slots:
  void computesWhatWasRecorded_data();
  void computesWhatWasRecorded();
};

void ConformanceTest::computesWhatWasRecorded_data() {
  QTest::addColumn<QString>("archive");
  QTest::addColumn<int>("least");      // computed as recorded: what once works must go on working
  QTest::addColumn<QStringList>("other");  // recorded with other sizes than the file declares
  QTest::newRow("onnx 1.12 node tests") << "onnx-1.12-backend-tests" << 422 << QStringList{};
  QTest::newRow("burn-onnx tests") << "burn-onnx-tests" << 223
                                    << QStringList{"ops/constant_of_shape__constant_of_shape", "ops/constant_of_shape__constant_of_shape_tensor", "ops/expand__expand_scalar"};
}

void ConformanceTest::computesWhatWasRecorded() {
  QFETCH(QString, archive);
  QFETCH(int, least);
  QFETCH(QStringList, other);
  const auto models = tests::sharedModels();
  if (!models) QSKIP("needs the folder of shared models (MESHWRIGHT_MODELS)");
  QTemporaryDir folder;
  QString packed = QString::fromStdString(*models) + "/onnx/conformance/" + archive;
  if (QProcess::execute("tar", {"xJf", packed + ".tar.xz", "-C", folder.path()}) != 0) QSKIP("tar with xz is needed");
  std::map<Outcome, int> counts;
  QStringList wrong;
  for (const std::string& name : confirmed(packed.toStdString() + ".list")) {
    std::string path = folder.path().toStdString() + "/" + name;
    if (!fs::exists(path + "/test_data_set_0/output_0.pb")) continue;
    Outcome outcome = outcomeOf(path);
    ++counts[outcome];
    if (outcome == Outcome::differs && !other.contains(QString::fromStdString(name))) wrong << QString::fromStdString(name);
  }
  qInfo("%s: %d computed as recorded, %d with operators that the catalogue lacks, %d refused, %d of open sizes, %d differ", qPrintable(archive), counts[Outcome::right], counts[Outcome::opaque],
        counts[Outcome::refused], counts[Outcome::open], counts[Outcome::differs]);
  QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(' ').left(900)));
  QVERIFY(counts[Outcome::right] >= least);
}

QTEST_GUILESS_MAIN(ConformanceTest)
#include "conformance_test.moc"
