#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <filesystem>

#include "core/base/error.h"
#include "core/io/tensor_file.h"
#include "core/plan/analyze.h"
#include "executor/local_cluster.h"
#include "tests/support/node_tests.h"
#include "tests/support/shared_models.h"

// ONNX's own node tests, and those of another importer, run by several ranks: under every rule for one dimension, and under rules for two, they
// give what was recorded.

using namespace core;
namespace fs = std::filesystem;

namespace {

constexpr double relative = 1e-3, absolute = 1e-4;
constexpr std::size_t mostPairs = 6;
constexpr std::int64_t mostElements = 1 << 18;  // of a model, so that hundreds of runs take seconds

std::vector<TensorFile> recorded(const fs::path& folder, const std::string& stem) {
  std::vector<TensorFile> files;
  for (int i = 0; fs::exists(folder / (stem + "_" + std::to_string(i) + ".pb")); ++i) files.push_back(readTensorFile((folder / (stem + "_" + std::to_string(i) + ".pb")).string()));
  return files;
}

struct Case {
  std::string mesh, layout;
};

// Every dimension over the one axis; pairs of them over two axes, and one over both.
std::vector<Case> casesOf(const Graph& graph) {
  std::vector<std::string> dims;
  for (const Dim& dim : graph.dims)
    if (dim.size > 1) dims.push_back(dim.name);
  std::vector<Case> cases{{"", ""}};
  for (const std::string& one : dims) cases.push_back({"p:2", one + ":p"});
  for (const std::string& one : dims) cases.push_back({"p:2,q:2", one + ":p;" + one + ":q"});
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < dims.size(); ++i)
    for (std::size_t j = i + 1; j < dims.size() && pairs < mostPairs; ++j, ++pairs) cases.push_back({"p:2,q:2", dims[i] + ":p;" + dims[j] + ":q"});
  return cases;
}

// Empty when all outputs are the recorded ones.
QString compare(const Analysis& analysis, const std::vector<TensorFile>& inputs, const std::vector<TensorFile>& outputs) {
  const Program& program = *analysis.program;
  executor::LocalCluster cluster(program, {});
  for (std::size_t i = 0; i < program.inputs.size() && i < inputs.size(); ++i) {
    const Buffer& buffer = program.buffers[program.inputs[i].index()];
    cluster.set(program.inputs[i], executor::Tensor::of(buffer.dtype, buffer.sizes, executor::Tensor{inputs[i].dtype, buffer.sizes, inputs[i].bytes}.values()));
  }
  cluster.step();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::vector<double> found = cluster.get(program.outputs[i]).values();
    const std::vector<double> wanted = executor::Tensor{outputs[i].dtype, outputs[i].sizes, outputs[i].bytes}.values();
    if (found.size() != wanted.size()) return QStringLiteral("output %1 has %2 elements, not %3").arg(i).arg(found.size()).arg(wanted.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
      if (found[k] == wanted[k] || (std::isnan(found[k]) && std::isnan(wanted[k]))) continue;
      if (!(std::abs(found[k] - wanted[k]) <= absolute + relative * std::abs(wanted[k]))) return QStringLiteral("output %1, element %2: %3, recorded %4").arg(i).arg(k).arg(found[k]).arg(wanted[k]);
    }
  }
  return {};
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
    for (const Case& one : casesOf(*graph)) {
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
        problem = compare(analysis, inputs, outputs);
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
