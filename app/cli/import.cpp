#include "core/io/import.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "app/cli/new_plan.h"
#include "app/cli/table.h"
#include "app/cli/verbs.h"
#include "core/base/units.h"
#include "core/io/plan_file.h"
#include "core/io/tensor_file.h"

namespace app {
namespace {

using core::countText;
using Side = Table::Side;

struct Options {
  std::string model, output;
  std::vector<std::string> dims, values;
};

std::map<std::string, core::TensorFile> readValues(const std::vector<std::string>& values) {
  std::map<std::string, core::TensorFile> all;
  for (const std::string& one : values) {
    const std::size_t equals = one.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == one.size()) throw core::Error{.what = fmt::format("\"{}\" is no input with a file", one), .where = "--value", .right = "NAME=FILE, such as axes=axes.npy"};
    if (!all.emplace(one.substr(0, equals), core::readTensorFile(one.substr(equals + 1))).second) throw core::Error{.what = fmt::format("\"{}\" is given twice", one.substr(0, equals)), .where = "--value", .right = "each name once"};
  }
  return all;
}

void printDims(const core::Graph& graph) {
  Table table({"dimension", "size"}, {Side::left, Side::right});
  for (const core::Dim& dim : graph.dims) table.row({dim.name, dim.size == 0 ? "not bound" : countText(dim.size)});
  fmt::print("{}", table.text());
}

int importPlan(const Options& options) {
  const core::Import found = core::importModel(options.model, {.dims = dimSizes(options.dims), .values = readValues(options.values)});
  core::Plan plan = planOf(found, planName(options.output));
  plan.origin = std::filesystem::absolute(options.model).lexically_normal();
  core::writePlan(plan, options.output);
  fmt::print("{}: {} parameters\n", options.output, countText(found.report.parameters));
  for (const std::string& one : plan.importNotes) fmt::print("{}\n", one);
  printDims(*found.graph);
  return done;
}

std::function<int()> declareImport(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.positional("model", options->model, "an ONNX file, external data beside it; HLO or StableHLO text, also as .gz; or a config.json of a family that `new --help` lists");
  arguments.texts("--dim", options->dims, "NAME=SIZE", "the size of one of the file's symbols, or of batch and seq of a config; may stand several times");
  arguments.texts("--value", options->values, "NAME=FILE", "an input that becomes a constant, such as one that decides sizes: .npy or .pb; may stand several times");
  arguments.required("-o,--output", options->output, "FILE", "the plan to write, NAME.plan.json");
  return [options] { return importPlan(*options); };
}

}  // namespace

Verb importVerb() { return {"import", "Reads a model file and writes a plan with named dimensions.", declareImport}; }

}  // namespace app
