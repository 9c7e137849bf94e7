#include "core/graph/prune.h"

#include <algorithm>

namespace core {
namespace {

std::vector<bool> neededTensors(const Graph& graph) {
  std::vector<bool> needed(graph.tensors.size());
  for (TensorId id : graph.outputs) needed[id.index()] = true;
  for (const Update& update : graph.updates) needed[update.value.index()] = true;
  for (std::size_t i = graph.operators.size(); i-- > 0;) {
    const Operator& op = graph.operators[i];
    if (std::none_of(op.outputs.begin(), op.outputs.end(), [&](TensorId id) { return needed[id.index()]; })) continue;
    for (TensorId id : op.inputs) needed[id.index()] = true;
    for (TensorId id : op.outputs) needed[id.index()] = true;  // all that a kept operator makes
  }
  for (std::size_t i = 0; i < needed.size(); ++i)
    if (graph.tensors[i].kind == TensorKind::input || graph.tensors[i].kind == TensorKind::state) needed[i] = true;
  return needed;
}

}  // namespace

Graph prune(const Graph& graph) {
  const std::vector<bool> needed = neededTensors(graph);
  Graph kept{.name = graph.name,
             .dims = graph.dims,
             .tensors = {},
             .operators = {},
             .updates = {},
             .outputs = {},
             .aliases = graph.aliases};
  std::vector<TensorId> now(graph.tensors.size());
  for (std::size_t i = 0; i < needed.size(); ++i) {
    if (!needed[i]) continue;
    now[i] = TensorId(static_cast<std::int64_t>(kept.tensors.size()));
    kept.tensors.push_back(graph.tensors[i]);
  }
  const auto renumber = [&](std::vector<TensorId>& ids) {
    for (TensorId& id : ids) id = now[id.index()];
  };
  for (const Operator& op : graph.operators) {
    if (std::none_of(op.outputs.begin(), op.outputs.end(), [&](TensorId id) { return needed[id.index()]; })) continue;
    const OperatorId id(static_cast<std::int64_t>(kept.operators.size()));
    kept.operators.push_back(op);
    renumber(kept.operators.back().inputs);
    renumber(kept.operators.back().outputs);
    for (TensorId made : kept.operators.back().outputs) kept.tensors[made.index()].producer = id;
  }
  for (const Update& update : graph.updates)
    kept.updates.push_back({now[update.state.index()], now[update.value.index()]});
  kept.outputs = graph.outputs;
  renumber(kept.outputs);
  return kept;
}

}  // namespace core
