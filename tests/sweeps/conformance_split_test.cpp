#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>

#include "core/base/error.h"
#include "core/io/tensor_file.h"
#include "core/plan/analyze.h"
#include "tests/support/node_tests.h"
#include "tests/support/shared_models.h"
#include "tests/support/split_cases.h"

// ONNX's own node tests, and those of another importer, run by several ranks: under every rule for one dimension, and under rules for two, they
// give what was recorded.

using namespace core;
namespace fs = std::filesystem;

namespace {

constexpr std::int64_t mostElements = 1 << 18;  // of a model, so that hundreds of runs take seconds

std::vector<TensorFile> recorded(const fs::path& folder, const std::string& stem) {
  std::vector<TensorFile> files;
  for (int i = 0; fs::exists(folder / (stem + "_" + std::to_string(i) + ".pb")); ++i) files.push_back(readTensorFile((folder / (stem + "_" + std::to_string(i) + ".pb")).string()));
  return files;
}

}  // namespace

class ConformanceSplitTest : public QObject {
  Q_OBJECT
 private slots:
  void givesWhatWasRecorded_data();
  void givesWhatWasRecorded();
};

void ConformanceSplitTest::givesWhatWasRecorded_data() {
  QTest::addColumn<QString>("archive");
  QTest::addColumn<int>("least");  // models that run: what once works must go on working
  QTest::newRow("onnx 1.12 node tests") << "onnx-1.12-backend-tests" << 566;
  QTest::newRow("burn-onnx tests") << "burn-onnx-tests" << 278;
}

void ConformanceSplitTest::givesWhatWasRecorded() {
  QFETCH(QString, archive);
  QFETCH(int, least);
  const auto models = tests::sharedModels();
  if (!models) QSKIP("needs the folder of shared models (MESHWRIGHT_MODELS)");
  QTemporaryDir folder;
  const auto names = tests::unpackNodeTests(*models + "/onnx/conformance/" + archive.toStdString(), folder.path().toStdString());
  if (!names) QSKIP("tar with xz is needed");
  int right = 0, runs = 0;
  QStringList wrong;
  for (const std::string& name : *names) {
    QTemporaryDir scratch;
    std::optional<tests::NodeTest> test;
    try {
      test = tests::readNodeTest(folder.path().toStdString() + "/" + name, scratch.path().toStdString());
    } catch (const Error&) {
      continue;  // refused: the conformance of imports counts those
    }
    const std::shared_ptr<const Graph>& graph = test->imported.graph;
    std::int64_t elements = 0;
    for (std::size_t t = 0; t < graph->tensors.size(); ++t) elements += graph->elements(TensorId(static_cast<std::int64_t>(t)));
    const bool open = std::any_of(graph->dims.begin(), graph->dims.end(), [](const Dim& dim) { return dim.size == 0; });
    if (!test->imported.report.unknown.empty() || open || elements > mostElements) continue;
    const std::vector<TensorFile> inputs = recorded(test->data, "input"), outputs = recorded(test->data, "output");
    bool all = true, base = true;
    for (const tests::SplitCase& one : tests::splitCases(*graph)) {
      auto plan = std::make_shared<Plan>();
      plan->graph = graph;
      plan->variants.push_back({.name = "A", .mesh = Mesh::of(one.mesh), .layout = Layout::of(one.layout)});
      const Analysis analysis = analyze(plan, 0);
      if (!analysis.program) {
        base &= !one.layout.empty();
        if (!base) break;
        continue;  // an illegal pair
      }
      QString problem;
      try {
        problem = QString::fromStdString(tests::differs(analysis, inputs, outputs, std::vector<tests::Tolerance>(outputs.size())));
      } catch (const Error& error) {
        problem = QString::fromStdString(error.text());
      }
      ++runs;
      if (problem.isEmpty()) continue;
      all = false;
      if (one.layout.empty()) {
        base = false;
        break;
      }
      wrong << QStringLiteral("%1 on %2 under %3: %4").arg(QString::fromStdString(name), QString::fromStdString(one.mesh), QString::fromStdString(one.layout), problem);
      break;
    }
    right += all && base;
    if (!base) qInfo("not on one device: %s", name.c_str());
  }
  qInfo("%s: %d models give what was recorded on one device and under every split, %d runs", qPrintable(archive), right, runs);
  QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n').left(3000)));
  QVERIFY(right >= least);
}

QTEST_GUILESS_MAIN(ConformanceSplitTest)
#include "conformance_split_test.moc"
