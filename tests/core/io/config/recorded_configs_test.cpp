#include <QtTest>
#include <cmath>
#include <filesystem>

#include "core/autodiff/training.h"
#include "core/base/text.h"
#include "core/io/import.h"
#include "core/io/tensor_file.h"
#include "core/ops/expand.h"
#include "core/plan/analyze.h"
#include "core/tdl/element.h"
#include "executor/local_cluster.h"
#include "tests/support/graph_values.h"

// Small models of every family against tests/data/config/recorded, where make_recorded.py evaluated them in PyTorch.

using namespace core;
namespace fs = std::filesystem;

namespace {

constexpr double absolute = 2e-5, relative = 1e-4;

const fs::path recorded = fs::path(MESHWRIGHT_SOURCE) / "tests/data/config/recorded";

std::string fileOf(const QString& family, const char* stem, std::size_t i) {
  return (recorded / family.toStdString() / (std::string(stem) + "_" + std::to_string(i) + ".npy")).string();
}

// Sequences and batch as long as the recorded inputs.
std::shared_ptr<const Graph> modelOf(const QString& family) {
  std::map<std::string, std::int64_t> dims;
  const char* sequences[] = {"seq", "target_seq"};
  for (std::size_t i = 0; fs::exists(fileOf(family, "input", i)); ++i) {
    const std::vector<std::int64_t> sizes = readTensorFile(fileOf(family, "input", i)).sizes;
    dims["batch"] = sizes[0];
    if (sizes.size() == 2 && (i == 0 || family.startsWith("t5"))) dims[sequences[i]] = sizes[1];
  }
  return importModel((recorded / family.toStdString() / "config.json").string(), {.dims = dims}).graph;
}

// weight() of make_recorded.py.
std::vector<double> weightValues(const std::string& name, std::int64_t count) {
  double phase = 0;
  for (unsigned char c : name) phase += c;
  const std::string lower = QString::fromStdString(name).toLower().toStdString();
  const bool norm = (lower.find("norm") != std::string::npos || lower.find("ln_") != std::string::npos) && name.ends_with("weight");
  std::vector<double> values;
  for (std::int64_t i = 0; i < count; ++i) {
    const double at = static_cast<double>(i);
    values.push_back(static_cast<float>((norm ? 1 : 0) + 0.3 * std::sin(0.37 * at * at + phase)));
  }
  return values;
}

std::vector<double> valuesOf(const TensorFile& file) { return executor::Tensor{file.dtype, file.sizes, file.bytes}.values(); }

QString difference(const std::vector<double>& found, const QString& family) {
  const std::vector<double> wanted = valuesOf(readTensorFile(fileOf(family, "output", 0)));
  if (found.size() != wanted.size()) return QStringLiteral("%1 elements, recorded are %2").arg(found.size()).arg(wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    if (!(std::abs(found[i] - wanted[i]) <= absolute + relative * std::abs(wanted[i])))
      return QStringLiteral("element %1: %2, recorded %3").arg(i).arg(found[i]).arg(wanted[i]);
  return {};
}

QString evaluated(const QString& family) {
  const Graph graph = expand(inferenceStep(*modelOf(family)));
  std::map<TensorId, Array> given;
  std::size_t input = 0;
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    const TensorId id(static_cast<std::int64_t>(i));
    const core::Tensor& tensor = graph[id];
    if (tensor.kind == TensorKind::input) given[id] = {graph.sizes(id), valuesOf(readTensorFile(fileOf(family, "input", input++)))};
    if (tensor.kind == TensorKind::state) given[id] = {graph.sizes(id), weightValues(tensor.name, graph.elements(id))};
  }
  return difference(tests::evaluateGraph(graph, given)[graph.outputs[0].index()].values, family);
}

QString ran(const QString& family, const std::string& mesh, const std::string& layout) {
  auto plan = std::make_shared<Plan>();
  plan->graph = modelOf(family);
  plan->variants.push_back({.name = "A", .mesh = Mesh::of(mesh), .layout = Layout::of(layout)});
  const Analysis analysis = analyze(plan, 0);
  for (const Diagnostic& one : analysis.diagnostics)
    if (one.severity == Diagnostic::Severity::error) return QString::fromStdString(one.text());
  const Program& program = *analysis.program;
  executor::LocalCluster cluster(program, {.checking = true});
  for (std::size_t i = 0; i < program.inputs.size(); ++i) {
    const Buffer& buffer = program.buffers[program.inputs[i].index()];
    cluster.set(program.inputs[i], executor::Tensor::of(buffer.dtype, buffer.sizes, valuesOf(readTensorFile(fileOf(family, "input", i)))));
  }
  for (TensorId id : plan->graph->states()) {
    const std::string& name = (*plan->graph)[id].name;
    cluster.set(name, executor::Tensor::of(DType::f32, plan->graph->sizes(id), weightValues(name, plan->graph->elements(id))));
  }
  cluster.step();
  return difference(cluster.get(program.outputs[0]).values(), family);
}

// The rules whose dimensions the model has.
std::string rulesFor(const Graph& graph, const std::string& layout) {
  std::string usable;
  for (std::string_view rule : core::words(layout, ";")) {
    const std::string dimension(rule.substr(0, rule.find(':')));
    if (graph.findDim(dimension) || graph.aliases.contains(dimension)) usable += (usable.empty() ? "" : ";") + std::string(rule);
  }
  return usable;
}

}  // namespace

class RecordedConfigsTest : public QObject {
  Q_OBJECT
 private slots:
  void meanWhatTheyMeanInPyTorch_data();
  void meanWhatTheyMeanInPyTorch();
  void runAlikeOnEveryLayout_data();
  void runAlikeOnEveryLayout();

 private:
  static void addFamilies();
};

void RecordedConfigsTest::addFamilies() {
  QTest::addColumn<QString>("family");
  for (const auto& entry : fs::directory_iterator(recorded))
    if (entry.is_directory()) QTest::addRow("%s", entry.path().filename().c_str()) << QString::fromStdString(entry.path().filename().string());
}

void RecordedConfigsTest::meanWhatTheyMeanInPyTorch_data() { addFamilies(); }
void RecordedConfigsTest::meanWhatTheyMeanInPyTorch() {
  QFETCH(QString, family);
  const QString wrong = evaluated(family);
  QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
}

void RecordedConfigsTest::runAlikeOnEveryLayout_data() { addFamilies(); }
void RecordedConfigsTest::runAlikeOnEveryLayout() {
  QFETCH(QString, family);
  const auto model = modelOf(family);
  const Graph& graph = *model;
  std::vector<std::string> layouts{"", "batch:p;heads:q;ffn:q;vocab:q", "seq:p;d_model:q", "batch:q;batch:p"};
  if (graph.findDim("experts")) layouts.insert(layouts.end(), {"experts:q;batch:p", "experts:p;seq:q"});
  for (const std::string& layout : layouts) {
    const std::string usable = rulesFor(graph, layout);
    const QString wrong = ran(family, layout.empty() ? "" : "p:2,q:2", usable);
    QVERIFY2(wrong.isEmpty(), qPrintable(QString::fromStdString(usable) + ": " + wrong));
  }
}

QTEST_GUILESS_MAIN(RecordedConfigsTest)
#include "recorded_configs_test.moc"
