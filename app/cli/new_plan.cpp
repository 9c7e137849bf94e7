#include "app/cli/new_plan.h"

#include <fmt/format.h>

#include <filesystem>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/base/units.h"

namespace app {
namespace {

using core::countText;

constexpr std::string_view chosen = "chosen here";  // the reason of a size that nobody gave

// What was found, in the order in which a person asks: sentences that the plan keeps.
std::vector<std::string> sentences(const core::ImportReport& report) {
  std::vector<std::string> all;
  std::string from = report.format;
  if (!report.producer.empty()) from += " by " + report.producer;
  if (report.opset > 0) from += fmt::format(", opset {}", report.opset);
  if (report.fileOperators > 0) all.push_back(fmt::format("{}: {} operators of the file became {}", from, countText(report.fileOperators), countText(report.operators)));
  else all.push_back(fmt::format("{}: {} operators", from, countText(report.operators)));
  if (report.repeat) all.push_back(fmt::format("{} equal blocks {}", report.repeat->count, report.repeat->scope));
  for (const auto& symbol : report.symbols)
    if (symbol.size > 0) all.push_back(fmt::format("{} = {} ({}{})", symbol.name, symbol.size, symbol.reason, symbol.reason == chosen ? fmt::format(": --dim {}=SIZE gives another", symbol.name) : ""));
  if (report.renames > 0) all.push_back(fmt::format("{} times one dimension is read as another", report.renames));
  if (report.reshapes > 0) all.push_back(fmt::format("{} reshapes that names could not replace", report.reshapes));
  for (const auto& [type, count, reason] : report.unknown) all.push_back(fmt::format("{} {} of type {} cannot be run, only shown: {}", countText(count), count == 1 ? "operator" : "operators", type, reason));
  for (const std::string& name : report.deciding) all.push_back(fmt::format("the input {} decides sizes or axes: --value {}=FILE makes it known", name, name));
  for (const auto& [tensor, file] : report.missing) all.push_back(fmt::format("the weights of {} are missing: {} should hold them", tensor, file));
  all.insert(all.end(), report.notes.begin(), report.notes.end());
  return all;
}

}  // namespace

std::string planName(const std::string& path) {
  std::string name = std::filesystem::path(path).filename();
  for (std::string_view ending : {".json", ".plan"})
    if (name.ends_with(ending) && name.size() > ending.size()) name.resize(name.size() - ending.size());
  return name;
}

core::Plan planOf(core::Graph graph, const std::string& name) {
  if (graph.name.empty()) graph.name = name;
  core::Plan plan{.name = name, .graph = std::make_shared<const core::Graph>(std::move(graph))};
  plan.variants.push_back({.name = "A"});
  return plan;
}

core::Plan planOf(const core::Import& found, const std::string& name) {
  core::Plan plan = planOf(*found.graph, name);
  plan.importNotes = sentences(found.report);
  return plan;
}

std::map<std::string, std::int64_t> dimSizes(const std::vector<std::string>& dims) {
  std::map<std::string, std::int64_t> sizes;
  for (const std::string& one : dims) {
    const std::size_t equals = one.find('=');
    const auto size = equals == std::string::npos ? std::nullopt : core::parseInteger(std::string_view(one).substr(equals + 1));
    if (!size || *size < 1 || equals == 0) throw core::Error{.what = fmt::format("\"{}\" is no dimension with a size", one), .where = "--dim", .right = "NAME=SIZE, such as batch=8"};
    if (!sizes.emplace(one.substr(0, equals), *size).second) throw core::Error{.what = fmt::format("\"{}\" is given twice", one.substr(0, equals)), .where = "--dim", .right = "each name once"};
  }
  return sizes;
}

}  // namespace app
