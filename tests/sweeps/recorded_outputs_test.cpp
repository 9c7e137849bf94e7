#include <QtTest>

#include <cmath>
#include <filesystem>
#include <set>

#include "core/io/import.h"
#include "core/io/tensor_file.h"
#include "core/plan/analyze.h"
#include "executor/local_cluster.h"
#include "tests/support/shared_models.h"

using namespace core;
namespace fs = std::filesystem;

namespace {

constexpr double absolute = 1e-5, relative = 1e-4;  // as `evaluate` compares

// Operators of these kinds are not executed yet; a model that has one is named and left out.
bool runs(const Graph& graph) {
  return std::none_of(graph.operators.begin(), graph.operators.end(), [](const Operator& op) { return op.kind == "opaque"; });
}

// Sizes of symbolic dimensions, from the recorded inputs.
std::map<std::string, std::int64_t> boundBy(const Graph& graph, const std::vector<TensorFile>& inputs) {
  std::map<std::string, std::int64_t> sizes;
  const std::vector<TensorId> ids = graph.inputs();
  for (std::size_t i = 0; i < ids.size() && i < inputs.size(); ++i) {
    std::size_t axis = 0;
    for (std::int64_t size : inputs[i].sizes) {
      if (size == 1 && inputs[i].sizes.size() != graph[ids[i]].shape.size()) continue;
      if (axis < graph[ids[i]].shape.size() && graph.size(graph[ids[i]].shape[axis]) == 0) sizes[graph[graph[ids[i]].shape[axis]].name] = size;
      ++axis;
    }
  }
  return sizes;
}

std::vector<TensorFile> recorded(const fs::path& folder, const std::string& stem) {
  std::vector<TensorFile> files;
  for (int i = 0; fs::exists(folder / (stem + "_" + std::to_string(i) + ".pb")); ++i) files.push_back(readTensorFile((folder / (stem + "_" + std::to_string(i) + ".pb")).string()));
  return files;
}

executor::Tensor asTensor(const TensorFile& file, const Buffer& buffer) {
  executor::Tensor tensor{file.dtype, buffer.sizes, file.bytes};
  return executor::Tensor::of(buffer.dtype, buffer.sizes, tensor.values());
}

// Empty when all outputs are the recorded ones.
QString compare(const std::shared_ptr<const Graph>& graph, const fs::path& folder, const char* mesh, const std::string& layout) {
  auto plan = std::make_shared<Plan>();
  plan->graph = graph;
  plan->variants.push_back({.name = "A", .mesh = Mesh::of(mesh), .layout = Layout::of(layout)});
  const Analysis analysis = analyze(plan, 0);
  if (!analysis.program) return QString::fromStdString(analysis.diagnostics[0].text());
  const Program& program = *analysis.program;
  executor::LocalCluster cluster(program, {.folder = folder.string()});
  const std::vector<TensorFile> inputs = recorded(folder / "test_data_set_0", "input"), outputs = recorded(folder / "test_data_set_0", "output");
  for (std::size_t i = 0; i < inputs.size(); ++i) cluster.set(program.inputs[i], asTensor(inputs[i], program.buffers[program.inputs[i].index()]));
  cluster.step();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::vector<double> found = cluster.get(program.outputs[i]).values();
    const std::vector<double> wanted = executor::Tensor{outputs[i].dtype, outputs[i].sizes, outputs[i].bytes}.values();
    if (found.size() != wanted.size()) return QStringLiteral("output %1 has %2 elements, not %3").arg(i).arg(found.size()).arg(wanted.size());
    for (std::size_t k = 0; k < found.size(); ++k)
      if (!(std::abs(found[k] - wanted[k]) <= absolute + relative * std::abs(wanted[k]))) return QStringLiteral("output %1, element %2: %3, recorded %4").arg(i).arg(k).arg(found[k]).arg(wanted[k]);
  }
  return {};
}

// Three layouts that this model can have: its first dimensions split, its last ones, and two on both axes.
std::vector<std::string> layoutsOf(const Graph& graph) {
  std::vector<std::string> usable;
  const Mesh mesh = Mesh::of("p:2,q:2");
  for (const char* wanted : {"batch:p", "heads:q", "ffn:q", "hidden:q", "vocab:q", "seq:p", "emb:q", "d_model:q", "features:q", "d_model:p", "hidden:p", "in:p", "classes:q"}) {
    const Layout one = Layout::of(wanted);
    if (graph.findDim(one.rules[0].dimension) && !hasErrors(check(one, graph, mesh))) usable.push_back(wanted);
  }
  std::vector<std::string> found;
  if (!usable.empty()) found.push_back(usable.front());
  for (const std::string& one : usable) {
    if (found.size() >= 3) break;
    const std::string both = usable.front() + ";" + one;
    if (one != usable.front() && !hasErrors(check(Layout::of(both), graph, mesh))) found.push_back(both);
    else if (one != usable.front()) found.push_back(one);
  }
  return found;
}

}  // namespace

class RecordedOutputsTest : public QObject {
  Q_OBJECT
 private slots:
  void areReproduced_data();
  void areReproduced();
};

void RecordedOutputsTest::areReproduced_data() {
  const auto models = tests::sharedModels();
  if (!models) QSKIP("needs the folder of shared models (MESHWRIGHT_MODELS)");
  QTest::addColumn<QString>("folder");
  for (const char* group : {"onnx/torch", "onnx/torch-folded"})
    for (const auto& entry : fs::directory_iterator(fs::path(*models) / group))
      if (fs::exists(entry.path() / "test_data_set_0")) QTest::addRow("%s/%s", group, entry.path().filename().c_str()) << QString::fromStdString(entry.path().string());
}

void RecordedOutputsTest::areReproduced() {
  QFETCH(QString, folder);
  const fs::path path = folder.toStdString();
  ImportOptions options;
  std::shared_ptr<const Graph> graph = importModel((path / "model.onnx").string(), options).graph;
  options.dims = boundBy(*graph, recorded(path / "test_data_set_0", "input"));
  if (!options.dims.empty()) graph = importModel((path / "model.onnx").string(), options).graph;
  if (!runs(*graph)) QSKIP("has operators that are not executed yet");
  QString wrong = compare(graph, path, "", "");
  QVERIFY2(wrong.isEmpty(), qPrintable("one device: " + wrong));
  const std::vector<std::string> layouts = layoutsOf(*graph);
  for (const std::string& layout : layouts) {
    wrong = compare(graph, path, "p:2,q:2", layout);
    QVERIFY2(wrong.isEmpty(), qPrintable(QString::fromStdString(layout) + ": " + wrong));
  }
  qInfo("equal on one device and on 2x2 under %zu layouts", layouts.size());
}

QTEST_GUILESS_MAIN(RecordedOutputsTest)
#include "recorded_outputs_test.moc"
