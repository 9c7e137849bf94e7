#include "app/cli/new_plan.h"

#include <fmt/format.h>

#include <filesystem>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/base/units.h"

namespace app {

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
  plan.importNotes = core::describe(found.report);
  plan.variants[0].mesh = found.mesh;
  plan.variants[0].layout = found.layout;
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
