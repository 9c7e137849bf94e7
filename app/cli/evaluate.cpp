#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <memory>

#include "app/cli/plan_options.h"
#include "app/cli/table.h"
#include "app/cli/verbs.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/io/json_print.h"
#include "core/io/tensor_file.h"
#include "executor/local_cluster.h"

namespace app {
namespace {

namespace fs = std::filesystem;
using core::Json;
using executor::Tensor;

struct Options {
  PlanOptions plan;
  std::string inputs;
  std::optional<std::string> expect;
  double atol = 1e-5, rtol = 1e-4;
  std::int64_t threads = 1, maxRanks = 16;
  bool json = false;
};

using Sizes = std::vector<std::int64_t>;

// Axes of size 1 carry no dimension: a file may have them where the graph has none.
Sizes withoutOnes(Sizes sizes) {
  std::erase(sizes, 1);
  return sizes;
}

std::string sizesText(const Sizes& sizes) { return fmt::format("[{}]", fmt::join(sizes, ", ")); }

// FOLDER/input_3.pb, or FOLDER/NAME.npy with characters that no file name may have replaced; none when neither is there.
std::optional<std::string> tensorPath(const std::string& folder, const char* kind, std::size_t index, std::string name) {
  std::replace(name.begin(), name.end(), '/', '_');
  std::error_code ignored;
  for (const std::string& path : {fmt::format("{}/{}_{}.pb", folder, kind, index), fmt::format("{}/{}.npy", folder, name)})
    if (fs::is_regular_file(path, ignored)) return path;
  return std::nullopt;
}

core::Error missing(const std::string& folder, const char* kind, std::size_t index, const std::string& name) {
  return {.what = fmt::format("nothing for the {} \"{}\"", kind, name), .where = folder, .right = fmt::format("{}_{}.pb or {}.npy", kind, index, name)};
}

Tensor readTensor(const std::string& path, const Sizes& sizes, core::DType dtype) {
  core::TensorFile file = core::readTensorFile(path);
  if (withoutOnes(file.sizes) != withoutOnes(sizes)) throw core::Error{.what = "its sizes are " + sizesText(file.sizes), .where = path, .right = sizesText(sizes)};
  if (core::isFloating(file.dtype) != core::isFloating(dtype))
    throw core::Error{.what = fmt::format("it holds {}", core::toString(file.dtype)), .where = path, .right = std::string(core::toString(dtype))};
  Tensor tensor{file.dtype, sizes, std::move(file.bytes)};
  return tensor.dtype == dtype ? tensor : Tensor::of(dtype, sizes, tensor.values());
}

void feed(executor::LocalCluster& cluster, const core::Program& program, const core::Graph& graph, const std::string& folder) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) throw core::Error{.what = "there is no such folder", .where = folder, .right = "a folder with input_0.pb, input_1.pb ..., or NAME.npy"};
  const std::vector<core::TensorId> inputs = graph.inputs();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string& name = graph[inputs[i]].name;
    for (core::BufferId id : program.inputs) {
      const core::Buffer& buffer = program.buffers[id.index()];
      if (buffer.name != name) continue;
      const auto path = tensorPath(folder, "input", i, name);
      if (!path) throw missing(folder, "input", i, name);
      cluster.set(id, readTensor(*path, buffer.sizes, buffer.dtype));
    }
  }
}

struct Difference {
  std::string name;
  std::int64_t elements = 0, wrong = 0;
  double largest = 0;  // of those that are wrong or not; infinite where one is no number
};

bool near(double value, double expected, bool exact, const Options& options) {
  if (std::isnan(expected)) return std::isnan(value);
  if (exact || std::isinf(expected)) return value == expected;
  return std::abs(value - expected) <= options.atol + options.rtol * std::abs(expected);
}

Difference differ(const std::string& name, const Tensor& found, const Tensor& expected, const Options& options) {
  const std::vector<double> a = found.values(), b = expected.values();
  Difference difference{.name = name, .elements = static_cast<std::int64_t>(a.size())};
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool same = near(a[i], b[i], !core::isFloating(found.dtype), options);
    const double distance = std::abs(a[i] - b[i]);
    difference.wrong += same ? 0 : 1;
    difference.largest = std::max(difference.largest, same && !std::isfinite(distance) ? 0 : std::isnan(distance) ? INFINITY : distance);
  }
  return difference;
}

std::vector<Difference> compareAll(executor::LocalCluster& cluster, const core::Program& program, const core::Graph& graph, const Options& options) {
  std::vector<Difference> all;
  for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
    const std::string& name = graph[graph.outputs[i]].name;
    const core::Buffer& buffer = program.buffers[program.outputs[i].index()];
    const auto path = tensorPath(*options.expect, "output", i, name);
    if (!path) throw missing(*options.expect, "output", i, name);
    all.push_back(differ(name, cluster.get(program.outputs[i]), readTensor(*path, buffer.sizes, buffer.dtype), options));
  }
  return all;
}

int report(const std::vector<Difference>& all, const Options& options) {
  bool same = true;
  Json outputs = Json::array();
  Table table({"output", "elements", "differ", "largest difference"}, {Table::Side::left, Table::Side::right, Table::Side::right, Table::Side::right});
  for (const Difference& one : all) {
    same = same && one.wrong == 0;
    outputs.push_back({{"name", one.name}, {"elements", one.elements}, {"differ", one.wrong}, {"largestDifference", core::numberJson(one.largest)}});
    table.row({one.name, core::countText(one.elements), core::countText(one.wrong), fmt::format("{:.3g}", one.largest)});
  }
  if (options.json)
    fmt::print("{}", core::printJson({{"format", "meshwright.evaluation/1"}, {"same", same}, {"atol", options.atol}, {"rtol", options.rtol}, {"outputs", std::move(outputs)}}));
  else
    fmt::print("{}{}\n", table.text(), same ? fmt::format("All outputs are as expected, within {} + {} of each value.", options.atol, options.rtol) : "Outputs differ from what was expected.");
  return same ? done : differs;
}

// Without anything to compare with: what came out, in a few figures.
int show(executor::LocalCluster& cluster, const core::Program& program, const core::Graph& graph, bool json) {
  Json outputs = Json::array();
  Table table({"output", "sizes", "least", "mean", "largest"}, {Table::Side::left, Table::Side::left, Table::Side::right, Table::Side::right, Table::Side::right});
  for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
    const Tensor tensor = cluster.get(program.outputs[i]);
    const std::vector<double> values = tensor.values();
    double least = INFINITY, largest = -INFINITY, sum = 0;
    for (double one : values) least = std::min(least, one), largest = std::max(largest, one), sum += one;
    const std::string& name = graph[graph.outputs[i]].name;
    const double mean = sum / static_cast<double>(values.size());
    outputs.push_back({{"name", name}, {"sizes", tensor.sizes}, {"least", core::numberJson(least)}, {"mean", core::numberJson(mean)}, {"largest", core::numberJson(largest)}});
    table.row({name, sizesText(tensor.sizes), fmt::format("{:.6g}", least), fmt::format("{:.6g}", mean), fmt::format("{:.6g}", largest)});
  }
  fmt::print("{}", json ? core::printJson({{"format", "meshwright.evaluation/1"}, {"outputs", std::move(outputs)}}) : table.text());
  return done;
}

// Forward only, whatever the variant trains.
void settle(ChosenPlan& chosen) {
  core::Plan plan = *chosen.plan;
  plan.variants[chosen.variant].step.training = false;
  chosen.plan = std::make_shared<const core::Plan>(std::move(plan));
}

int evaluate(const Options& options) {
  if (options.plan.train) throw core::Error{.what = "--train", .where = "evaluate", .right = "evaluate runs forward only"};
  ChosenPlan chosen = choose(options.plan);
  settle(chosen);
  const std::int64_t devices = chosen.chosen().mesh.devices();
  if (devices > options.maxRanks)
    throw core::Error{.what = fmt::format("the mesh has {} devices; at most {} run in this process", devices, options.maxRanks), .where = "--max-ranks", .right = "a smaller mesh, or a larger --max-ranks"};
  const core::Analysis analysis = analyzeOrRefuse(chosen);
  requireRunnable(analysis);
  printNotes(chosen, analysis);
  executor::LocalCluster cluster(*analysis.program, {.seed = chosen.chosen().step.seed, .threads = static_cast<int>(options.threads)});
  feed(cluster, *analysis.program, *chosen.plan->graph, options.inputs);
  cluster.step();
  if (!options.expect) return show(cluster, *analysis.program, *chosen.plan->graph, options.json);
  return report(compareAll(cluster, *analysis.program, *chosen.plan->graph, options), options);
}

std::function<int()> declareEvaluate(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  declare(arguments, options->plan);
  arguments.required("--inputs", options->inputs, "FOLDER", "input_<i>.pb in the graph's order, or <name>.npy");
  arguments.text("--expect", options->expect, "FOLDER", "output_<i>.pb or <name>.npy to compare with");
  arguments.real("--atol", options->atol, "how far a value may be from the expected one, in itself");
  arguments.real("--rtol", options->rtol, "... and as a share of it; integers must be equal");
  arguments.number("--threads", options->threads, 1, 1024, "threads of a rank");
  arguments.number("--max-ranks", options->maxRanks, 1, 1'000'000, "how many ranks may run in this process");
  arguments.flag("--json", options->json, "the outcome as JSON");
  return [options] { return evaluate(*options); };
}

}  // namespace

Verb evaluateVerb() { return {"evaluate", "Runs the model forward on given inputs, all ranks in this process, and compares its outputs.", declareEvaluate}; }

}  // namespace app
