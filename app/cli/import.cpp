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

namespace app {
namespace {

using core::countText;
using Side = Table::Side;

struct Options {
  std::string model, output;
  std::vector<std::string> dims;
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

// What was found, in the order in which a person asks: sentences that the plan keeps. What is missing, open or unknown
// stands in the report's notes.
std::vector<std::string> sentences(const core::ImportReport& report) {
  std::vector<std::string> all;
  std::string from = report.format;
  if (!report.producer.empty()) from += " by " + report.producer;
  if (report.opset > 0) from += fmt::format(", opset {}", report.opset);
  if (report.fileOperators > 0) all.push_back(fmt::format("{}: {} operators of the file became {}", from, countText(report.fileOperators), countText(report.operators)));
  else all.push_back(fmt::format("{}: {} operators", from, countText(report.operators)));
  if (report.repeat) all.push_back(fmt::format("{} equal blocks {}", report.repeat->count, report.repeat->scope));
  for (const auto& symbol : report.symbols)
    if (symbol.size > 0) all.push_back(fmt::format("symbol {} = {} ({})", symbol.name, symbol.size, symbol.reason));
  if (report.renames > 0) all.push_back(fmt::format("{} times one dimension is read as another", report.renames));
  if (report.reshapes > 0) all.push_back(fmt::format("{} reshapes that names could not replace", report.reshapes));
  all.insert(all.end(), report.notes.begin(), report.notes.end());
  return all;
}

void printDims(const core::Graph& graph) {
  Table table({"dimension", "size"}, {Side::left, Side::right});
  for (const core::Dim& dim : graph.dims) table.row({dim.name, dim.size == 0 ? "not bound" : countText(dim.size)});
  fmt::print("{}", table.text());
}

int importPlan(const Options& options) {
  const core::Import found = core::importModel(options.model, {.dims = parseDims(options.dims)});
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
  arguments.positional("model", options->model, "an ONNX file, external data beside it; or a config.json of a family that `new --help` lists");
  arguments.texts("--dim", options->dims, "NAME=SIZE", "the size of one of the file's symbols, or of batch and seq of a config; may stand several times");
  arguments.required("-o,--output", options->output, "FILE", "the plan to write, NAME.plan.json");
  return [options] { return importPlan(*options); };
}

}  // namespace

Verb importVerb() { return {"import", "Reads a model file and writes a plan with named dimensions.", declareImport}; }

}  // namespace app
