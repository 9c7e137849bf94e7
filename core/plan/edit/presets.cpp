#include "core/plan/edit/presets.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "core/plan/edit/layout.h"

namespace core {
namespace {

std::optional<std::string> firstAxis(const Mesh& mesh, std::initializer_list<std::string_view> names) {
  for (std::string_view name : names)
    if (mesh.find(name)) return std::string(name);
  return {};
}

void require(bool found, const char* what, const char* right) {
  if (!found) throw Error{.what = what, .where = "layout", .right = right};
}

// "ffn" also names what a clash made of it: "ffn_2".
bool isNamed(std::string_view name, std::string_view wanted) {
  if (name.substr(0, wanted.size()) != wanted) return false;
  std::string_view rest = name.substr(wanted.size());
  return rest.empty() || (rest[0] == '_' && rest.size() > 1 && rest.find_first_not_of("0123456789", 1) == rest.npos);
}

std::vector<std::string> modelDimensions(const Graph& graph) {
  std::vector<std::string> found;
  for (std::string_view wanted : {"heads", "ffn", "vocab"}) {
    for (const Dim& dim : graph.dims)
      if (isNamed(dim.name, wanted)) found.push_back(dim.name);
    if (graph.aliases.count(std::string(wanted))) found.emplace_back(wanted);
  }
  return found;
}

}  // namespace

std::optional<std::string> batchDimension(const Graph& graph) {
  for (const Dim& dim : graph.dims)
    if (isNamed(dim.name, "batch")) return dim.name;
  for (TensorId id : graph.inputs())
    if (!graph[id].shape.empty()) return graph[graph[id].shape.front()].name;
  return {};
}

std::optional<std::string> dataAxis(const Mesh& mesh) {
  if (auto named = firstAxis(mesh, {"data", "dp", "batch"})) return named;
  return mesh.axes.empty() ? std::nullopt : std::optional(mesh.axes.front().name);
}

std::optional<std::string> modelAxis(const Mesh& mesh) {
  if (auto named = firstAxis(mesh, {"model", "tp", "mp"})) return named;
  return mesh.axes.empty() ? std::nullopt : std::optional(mesh.axes.back().name);
}

Plan dataParallel(Plan plan) {
  const Mesh& mesh = plan.variant().mesh;
  std::optional<std::string> batch = batchDimension(*plan.graph);
  require(batch.has_value(), "the model has no dimension that runs over examples", "an input with a dimension");
  require(!mesh.axes.empty(), "the mesh has no axis", "add one in the mesh panel");
  Rule rule{*batch, {}};
  for (const MeshAxis& axis : mesh.axes) rule.axes.push_back(axis.name);
  return setLayout(std::move(plan), Layout{.rules = {rule}});
}

Plan megatron(Plan plan) {
  const Mesh& mesh = plan.variant().mesh;
  std::optional<std::string> model = modelAxis(mesh), data = dataAxis(mesh), batch = batchDimension(*plan.graph);
  require(model.has_value(), "the mesh has no axis", "add one in the mesh panel");
  Layout layout;
  if (batch && data != model) layout.rules.push_back({*batch, {*data}});
  for (const std::string& dimension : modelDimensions(*plan.graph)) layout.rules.push_back({dimension, {*model}});
  require(!modelDimensions(*plan.graph).empty(), "the model has none of the dimensions heads, ffn, vocab",
          "a transformer, or rename its dimensions to these");
  return setLayout(std::move(plan), std::move(layout));
}

}  // namespace core
