#include "core/plan/precision.h"

#include <vector>

namespace core {

Graph withBf16Activations(Graph graph) {
  std::vector<bool> master(graph.tensors.size(), false);
  for (std::size_t t = 0; t < graph.tensors.size(); ++t)
    master[t] = graph.tensors[t].kind == TensorKind::state && graph.tensors[t].state != StateKind::parameter;
  for (const Operator& op : graph.operators) {
    bool fromSlots = false;
    for (TensorId input : op.inputs) fromSlots = fromSlots || master[input.index()];
    for (TensorId output : op.outputs) master[output.index()] = fromSlots;
  }
  for (const Update& update : graph.updates) master[update.value.index()] = true;
  for (std::size_t t = 0; t < graph.tensors.size(); ++t) {
    Tensor& tensor = graph.tensors[t];
    const bool stays = master[t] || tensor.shape.empty() || tensor.kind != TensorKind::value;
    if (!stays && tensor.dtype == DType::f32) tensor.dtype = DType::bf16;
  }
  return graph;
}

}  // namespace core
