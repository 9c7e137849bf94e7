#include "core/io/import.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "app/cli/new_plan.h"
#include "app/cli/table.h"
#include "app/cli/verbs.h"
#include "core/base/text.h"
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

std::map<std::string, std::int64_t> parseDims(const std::vector<std::string>& dims) {
  std::map<std::string, std::int64_t> sizes;
  for (const std::string& one : dims) {
    const std::size_t equals = one.find('=');
    const auto size = equals == std::string::npos ? std::nullopt : core::parseInteger(std::string_view(one).substr(equals + 1));
    if (!size || *size < 1 || equals == 0) throw core::Error{.what = fmt::format("\"{}\" is no dimension with a size", one), .where = "--dim", .right = "NAME=SIZE, such as batch=8"};
    if (!sizes.emplace(one.substr(0, equals), *size).second) throw core::Error{.what = fmt::format("\"{}\" is given twice", one.substr(0, equals)), .where = "--dim", .right = "each name once"};
  }
  return sizes;
}

std::map<std::string, core::TensorFile> readValues(const std::vector<std::string>& values) {
  std::map<std::string, core::TensorFile> all;
  for (const std::string& one : values) {
    const std::size_t equals = one.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == one.size()) throw core::Error{.what = fmt::format("\"{}\" is no input with a file", one), .where = "--value", .right = "NAME=FILE, such as axes=axes.npy"};
    if (!all.emplace(one.substr(0, equals), core::readTensorFile(one.substr(equals + 1))).second) throw core::Error{.what = fmt::format("\"{}\" is given twice", one.substr(0, equals)), .where = "--value", .right = "each name once"};
  }
  return all;
}

// What was found, in the order in which a person asks: sentences that the plan keeps.
std::vector<std::string> sentences(const core::ImportReport& report) {
  std::vector<std::string> all;
  std::string from = report.format;
  if (!report.producer.empty()) from += " by " + report.producer;
  if (report.opset > 0) from += fmt::format(", opset {}", report.opset);
  all.push_back(fmt::format("{}: {} operators of the file became {}", from, countText(report.fileOperators), countText(report.operators)));
  if (report.repeat) all.push_back(fmt::format("{} equal blocks {}", report.repeat->count, report.repeat->scope));
  for (const auto& symbol : report.symbols)
    if (symbol.size > 0) all.push_back(fmt::format("symbol {} = {} ({})", symbol.name, symbol.size, symbol.reason));
  if (report.renames > 0) all.push_back(fmt::format("{} times one dimension is read as another", report.renames));
  if (report.reshapes > 0) all.push_back(fmt::format("{} reshapes that names could not replace", report.reshapes));
  for (const auto& [type, count, reason] : report.unknown) all.push_back(fmt::format("{} of type {} cannot be run, only shown: {}", countText(count), type, reason));
  for (const std::string& name : report.deciding) all.push_back(fmt::format("the input {} decides sizes or axes: --value {}=FILE makes it known", name, name));
  for (const auto& [tensor, file] : report.missing) all.push_back(fmt::format("the weights of {} are missing: {} should hold them", tensor, file));
  all.insert(all.end(), report.notes.begin(), report.notes.end());
  return all;
}

void printDims(const core::Graph& graph) {
  Table table({"dimension", "size"}, {Side::left, Side::right});
  for (const core::Dim& dim : graph.dims) table.row({dim.name, dim.size == 0 ? "not bound" : countText(dim.size)});
  fmt::print("{}", table.text());
}

int importPlan(const Options& options) {
  const core::Import found = core::importModel(options.model, {.dims = parseDims(options.dims), .values = readValues(options.values)});
  core::Plan plan = planOf(*found.graph, planName(options.output));
  plan.origin = std::filesystem::absolute(options.model).lexically_normal();
  plan.importNotes = sentences(found.report);
  core::writePlan(plan, options.output);
  fmt::print("{}: {} parameters\n", options.output, countText(found.report.parameters));
  for (const std::string& one : plan.importNotes) fmt::print("{}\n", one);
  printDims(*found.graph);
  return done;
}

std::function<int()> declareImport(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.positional("model", options->model, "an ONNX file; external data lies beside it");
  arguments.texts("--dim", options->dims, "NAME=SIZE", "the size of one of the file's symbols; may stand several times");
  arguments.texts("--value", options->values, "NAME=FILE", "an input that becomes a constant, such as one that decides sizes: .npy or .pb; may stand several times");
  arguments.required("-o,--output", options->output, "FILE", "the plan to write, NAME.plan.json");
  return [options] { return importPlan(*options); };
}

}  // namespace

Verb importVerb() { return {"import", "Reads a model file and writes a plan with named dimensions.", declareImport}; }

}  // namespace app
