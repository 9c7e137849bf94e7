#include "app/cli/new_plan.h"

#include <filesystem>

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

}  // namespace app
