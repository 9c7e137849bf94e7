#include "core/layout/resolve.h"

#include <algorithm>

#include "core/base/text.h"

namespace core {
namespace {

AxisList axesOf(const std::vector<std::string>& names, const Mesh& mesh) {
  AxisList axes;
  for (const std::string& name : names)
    if (const auto axis = mesh.find(name); axis && !axes.contains(*axis)) axes.push_back(*axis);
  return axes;
}

bool isGlob(const std::string& pattern) { return pattern.find_first_of("*?") != std::string::npos; }

}  // namespace

PinnedTensors::PinnedTensors(const Layout& layout, const Graph& graph) : graph_(graph) {
  if (std::all_of(layout.pins.begin(), layout.pins.end(), [](const Pin& pin) { return isGlob(pin.tensor); })) return;
  for (std::size_t t = 0; t < graph.tensors.size(); ++t) named_[graph.tensors[t].name].push_back(TensorId(static_cast<std::int64_t>(t)));
}

std::vector<TensorId> PinnedTensors::of(const std::string& pattern) const {
  std::vector<TensorId> found;
  if (!isGlob(pattern)) {
    if (auto named = named_.find(pattern); named != named_.end()) found = named->second;
    return found;
  }
  for (std::size_t t = 0; t < graph_.tensors.size(); ++t)
    if (globMatch(pattern, graph_.tensors[t].name)) found.emplace_back(static_cast<std::int64_t>(t));
  return found;
}

std::optional<DimId> resolveDim(const Graph& graph, std::string_view name) {
  if (const auto dim = graph.findDim(name)) return dim;
  const auto alias = graph.aliases.find(std::string(name));
  return alias == graph.aliases.end() ? std::nullopt : graph.findDim(alias->second);
}

ResolvedLayout resolve(const Layout& layout, const Graph& graph, const Mesh& mesh) {
  ResolvedLayout resolved;
  resolved.rules.resize(graph.dims.size());
  resolved.ruled.resize(graph.dims.size(), false);
  for (const Rule& rule : layout.rules) {
    const auto dim = resolveDim(graph, rule.dimension);
    if (!dim) continue;
    resolved.rules[dim->index()] = axesOf(rule.axes, mesh);
    resolved.ruled[dim->index()] = true;
  }
  const PinnedTensors pinned(layout, graph);
  for (const Pin& pin : layout.pins) {
    for (const TensorId id : pinned.of(pin.tensor)) {
      const Tensor& tensor = graph[id];
      std::vector<AxisList> dims(tensor.shape.size());
      for (const Rule& one : pin.dims) {
        const auto dim = resolveDim(graph, one.dimension);
        const auto place = dim ? std::find(tensor.shape.begin(), tensor.shape.end(), *dim) : tensor.shape.end();
        if (place != tensor.shape.end()) dims[static_cast<std::size_t>(place - tensor.shape.begin())] = axesOf(one.axes, mesh);
      }
      resolved.pins[id] = {std::move(dims), pin.tensor};
    }
  }
  for (const Choice& choice : layout.choices) resolved.choices[{choice.op, choice.loop}] = axesOf(choice.axes, mesh);
  return resolved;
}

}  // namespace core
