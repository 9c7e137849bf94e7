#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <map>

#include "core/base/error.h"
#include "tests/support/imported_values.h"
#include "tests/support/node_tests.h"
#include "tests/support/shared_models.h"

// ONNX's own node tests, and those of another importer: what is imported without an opaque operator computes what was recorded.

using namespace core;

namespace {

enum class Outcome { right, differs, opaque, open, refused };

Outcome outcomeOf(const std::string& folder) {
  try {
    QTemporaryDir scratch;
    const tests::NodeTest test = tests::readNodeTest(folder, scratch.path().toStdString());
    if (!test.imported.report.unknown.empty()) return Outcome::opaque;
    const Graph& graph = *test.imported.graph;
    if (std::any_of(graph.dims.begin(), graph.dims.end(), [](const Dim& dim) { return dim.size == 0; })) return Outcome::open;
    return tests::worstError(graph, test.data, 1e-3, 1e-4) <= 0 ? Outcome::right : Outcome::differs;
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
  QTest::newRow("onnx 1.12 node tests") << "onnx-1.12-backend-tests" << 575 << QStringList{};
  QTest::newRow("burn-onnx tests") << "burn-onnx-tests" << 278
                                    << QStringList{"ops/constant_of_shape__constant_of_shape", "ops/constant_of_shape__constant_of_shape_tensor", "ops/expand__expand_scalar"};
}

void ConformanceTest::computesWhatWasRecorded() {
  QFETCH(QString, archive);
  QFETCH(int, least);
  QFETCH(QStringList, other);
  const auto models = tests::sharedModels();
  if (!models) QSKIP("needs the folder of shared models (MESHWRIGHT_MODELS)");
  QTemporaryDir folder;
  const auto names = tests::unpackNodeTests(*models + "/onnx/conformance/" + archive.toStdString(), folder.path().toStdString());
  if (!names) QSKIP("tar with xz is needed");
  std::map<Outcome, int> counts;
  QStringList wrong;
  for (const std::string& name : *names) {
    const Outcome outcome = outcomeOf(folder.path().toStdString() + "/" + name);
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
