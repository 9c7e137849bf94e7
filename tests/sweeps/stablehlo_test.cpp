#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <fstream>
#include <map>

#include "core/base/error.h"
#include "core/io/import.h"
#include "core/ops/expand.h"
#include "core/plan/analyze.h"
#include "executor/tensor.h"
#include "tests/support/graph_values.h"
#include "tests/support/program_tests.h"
#include "tests/support/shared_models.h"
#include "tests/support/split_cases.h"

// JAX's own tests of StableHLO: what is imported without an opaque operator computes what was recorded, in the evaluator and by
// several ranks under every split.

using namespace core;
namespace fs = std::filesystem;

class StablehloTest : public QObject {
  Q_OBJECT
 private slots:
  void computesWhatWasRecorded_data();
  void computesWhatWasRecorded();
  void computesAWholeModel();
};

namespace {

constexpr std::int64_t mostElements = 1 << 18;  // of a model, so that thousands of runs take minutes
constexpr std::size_t mostCases = 40;

// Programs that are told apart by the sign of a NaN, which no value here has.
const QStringList& known() {
  static const QStringList names{"top_k_float32_5_chlo"};
  return names;
}

struct Outcome {
  std::string refused, wrong;  // neither: right
  std::string notRun;          // why the evaluator alone computed it
  int runs = 0;
};

TensorFile fileOf(const positional::Data& data) {
  std::vector<double> values;
  for (std::size_t i = 0; i < data.count(); ++i) values.push_back(data.at(i));
  return {.dtype = data.dtype, .sizes = data.sizes, .bytes = executor::Tensor::of(data.dtype, data.sizes, values).bytes};
}

std::vector<double> valuesOf(const positional::Data& data) {
  std::vector<double> values;
  for (std::size_t i = 0; i < data.count(); ++i) values.push_back(data.at(i));
  return values;
}

std::string differsInEvaluator(const Graph& model, const tests::ProgramTest& test) {
  const Graph graph = expand(model);
  std::map<TensorId, Array> given;
  const std::vector<TensorId> inputs = graph.inputs();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Array& array = given[inputs[i]];
    for (DimId dim : graph[inputs[i]].shape) array.sizes.push_back(graph.size(dim));
    array.values = valuesOf(*test.inputs.at(i));
  }
  const std::vector<Array> values = tests::evaluateGraph(graph, given);
  for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
    const positional::Data& wanted = *test.expected.at(i);
    if (std::string problem = tests::differs(i, values[graph.outputs[i].index()].values, valuesOf(wanted), test.tolerances.at(i)); !problem.empty()) return problem;
  }
  return {};
}

void runSplits(const std::shared_ptr<const Graph>& graph, const tests::ProgramTest& test, Outcome& outcome) try {
  std::int64_t elements = 0;
  for (std::size_t t = 0; t < graph->tensors.size(); ++t) elements += graph->elements(TensorId(static_cast<std::int64_t>(t)));
  if (elements > mostElements) return;
  std::vector<TensorFile> inputs, outputs;
  for (const positional::DataPtr& data : test.inputs) inputs.push_back(fileOf(*data));
  for (const positional::DataPtr& data : test.expected) outputs.push_back(fileOf(*data));
  std::vector<tests::SplitCase> cases = tests::splitCases(*graph);
  if (cases.size() > mostCases) cases.resize(mostCases);
  for (const tests::SplitCase& one : cases) {
    auto plan = std::make_shared<Plan>();
    plan->graph = graph;
    plan->variants.push_back({.name = "A", .mesh = Mesh::of(one.mesh), .layout = Layout::of(one.layout)});
    const Analysis analysis = analyze(plan, 0);
    if (!analysis.program) {
      if (!one.layout.empty()) continue;  // an illegal pair
      outcome.notRun = analysis.diagnostics.empty() ? std::string("no program") : analysis.diagnostics[0].what;
      return;
    }
    const std::string problem = tests::differs(analysis, inputs, outputs, test.tolerances);
    ++outcome.runs;
    if (problem.empty()) continue;
    outcome.wrong = "on \"" + one.mesh + "\" under \"" + one.layout + "\": " + problem;
    return;
  }
} catch (const Error& error) {
  outcome.notRun = error.what;
}

Outcome outcomeOf(const tests::ProgramTest& test) {
  Outcome outcome;
  try {
    QTemporaryDir folder;
    const std::string path = folder.filePath("program.mlir").toStdString();
    std::ofstream(path) << test.text;
    const Import imported = importModel(path, {});
    for (const ImportReport::Operators& unknown : imported.report.unknown) return {.refused = "opaque: " + unknown.type + ": " + unknown.reason};
    for (const positional::DataPtr& data : test.expected)
      if (!data) return {.refused = "the expected values are of a type that holds none here"};
    outcome.wrong = differsInEvaluator(*imported.graph, test);
    if (outcome.wrong.empty()) runSplits(imported.graph, test, outcome);
  } catch (const Error& error) {
    return {.refused = error.what};
  }
  return outcome;
}

std::string contents(const fs::path& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

positional::DataPtr numbers(positional::Sizes sizes, std::vector<double> values) { return std::make_shared<positional::Data>(positional::Data{.dtype = DType::f32, .sizes = std::move(sizes), .reals = std::move(values)}); }

}  // namespace

void StablehloTest::computesWhatWasRecorded_data() {
  QTest::addColumn<QString>("folder");
  QTest::addColumn<int>("least");  // that are right: what once works must go on working
  QTest::newRow("some") << MESHWRIGHT_SOURCE "/tests/data/stablehlo" << 14;
  const auto models = tests::sharedModels();
  QTest::newRow("all of JAX") << (models ? QString::fromStdString(*models + "/stablehlo/jax-testdata") : QString()) << 524;
}

void StablehloTest::computesWhatWasRecorded() {
  QFETCH(QString, folder);
  QFETCH(int, least);
  if (folder.isEmpty()) QSKIP("needs the folder of shared models (MESHWRIGHT_MODELS)");
  QTemporaryDir scratch;
  if (!fs::is_directory(folder.toStdString())) {
    if (QProcess::execute("tar", {"xJf", folder + ".tar.xz", "-C", scratch.path()}) != 0) QSKIP("tar with xz is needed");
    folder = scratch.path();
  }
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder.toStdString()))
    if (entry.path().extension() == ".mlir") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  int right = 0, ran = 0, runs = 0;
  std::map<std::string, std::pair<int, std::string>> refused;
  QStringList wrong;
  for (const fs::path& file : files) {
    const std::optional<tests::ProgramTest> test = tests::programTest(contents(file));
    const Outcome outcome = test ? outcomeOf(*test) : Outcome{.refused = "no values to be tested with"};
    runs += outcome.runs;
    ran += outcome.runs > 0 && outcome.wrong.empty() && outcome.notRun.empty();
    if (!outcome.notRun.empty()) ++refused["computed by the evaluator alone: " + outcome.notRun].first;
    if (!outcome.wrong.empty() && known().contains(QString::fromStdString(file.stem().string()))) continue;
    if (!outcome.wrong.empty()) wrong << QString::fromStdString(file.stem().string() + " " + outcome.wrong);
    else if (outcome.refused.empty()) ++right;
    else ++refused[outcome.refused].first, refused[outcome.refused].second = file.stem().string();
  }
  qInfo("%d of %zu programs compute what was recorded, %d of them also under every split in %d runs; %lld differ", right, files.size(), ran, runs, static_cast<long long>(wrong.size()));
  std::vector<std::pair<int, std::string>> reasons;
  for (const auto& [why, count] : refused) reasons.emplace_back(count.first, why + " (" + count.second + ")");
  std::sort(reasons.rbegin(), reasons.rend());
  for (const auto& [count, why] : reasons) qInfo("  %d: %s", count, why.c_str());
  QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
  QVERIFY(right >= least);
}

// IREE's fully connected layers: what its own test expects of them, to two places.
void StablehloTest::computesAWholeModel() {
  const auto models = tests::sharedModels();
  if (!models) QSKIP("needs the folder of shared models (MESHWRIGHT_MODELS)");
  tests::ProgramTest test{.text = contents(*models + "/stablehlo/iree/fullyconnected.mlir"), .tolerances = {{0, 0.0051}}};
  test.inputs = {numbers({1, 5}, {1, -2, -3, 4, -5}), numbers({1, 5, 3, 1}, {15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1})};
  test.expected = {numbers({5, 1, 5}, {0, 0, 0, 0, 0, 3.795, 4.995, 0.905, 0, 0, 2.805, 3.785, 0.565, 0, 0, 0, 0, 0, 0, 0, 0.875, 1.215, 0.135, 0, 0})};
  const Outcome outcome = outcomeOf(test);
  QCOMPARE(QString::fromStdString(outcome.refused + outcome.wrong), QString());
  QVERIFY(outcome.runs > 1);
}

QTEST_GUILESS_MAIN(StablehloTest)
#include "stablehlo_test.moc"
