#include "core/spmd/partials.h"

#include <algorithm>
#include <cassert>

#include "core/base/flow.h"

namespace core {
namespace {

class Placer {
 public:
  Placer(const Graph& graph, const Templates& templates, const Decisions& decisions, const Mesh& mesh, TensorId loss)
      : graph_(graph), templates_(templates), decisions_(decisions), mesh_(mesh), loss_(loss), readers_(consumers(graph)) {
    result_.operators.resize(graph.operators.size());
    result_.produced.resize(graph.tensors.size());
    result_.kept.resize(graph.tensors.size());
    result_.reduction.assign(graph.tensors.size(), Reduction::sum);
    raw_.resize(graph.tensors.size());
    ends_.assign(graph.tensors.size(), false);
  }

  Partials run() {
    for (std::size_t i = 0; i < graph_.operators.size(); ++i) startOperator(OperatorId(static_cast<std::int64_t>(i)));
    for (TensorId output : graph_.outputs)
      if (output != loss_) ends_[output.index()] = true;
    for (const Update& update : graph_.updates) ends_[update.value.index()] = true;
    for (std::size_t t = 0; t < graph_.tensors.size(); ++t) {
      const auto& origins = decisions_.tensors[t].origins;
      if (std::find(origins.begin(), origins.end(), Origin::pin) != origins.end()) ends_[t] = true;
    }
    for (AxisId axis = 0; axis < mesh_.axes.size(); ++axis) placeAxis(axis);
    return std::move(result_);
  }

 private:
  void startOperator(OperatorId id) {
    const Operator& op = graph_[id];
    result_.operators[id.index()].operands.resize(op.inputs.size());
    for (std::size_t o = 0; o < op.outputs.size(); ++o) {
      const Sharding made = producedOutput(templates_.expression(id), static_cast<int>(o), decisions_.operators[id.index()].axes);
      const std::size_t t = op.outputs[o].index();
      raw_[t] = made.partial;
      result_.produced[t] = made.partial;
      result_.reduction[t] = made.reduction;
    }
  }

  // The operands that hold partial sums if this operator passes those of `capable`; none when it cannot.
  std::optional<std::uint64_t> passing(OperatorId id, std::uint64_t capable, AxisId axis) const {
    const OperatorLayout& layout = decisions_.operators[id.index()];
    for (const AxisList& axes : layout.axes)
      if (axes.contains(axis)) return std::nullopt;
    const Operator& op = graph_[id];
    if (!isFloating(graph_[op.outputs[0]].dtype) || (!raw_[op.outputs[0].index()].empty() && result_.reduction[op.outputs[0].index()] != Reduction::sum)) return std::nullopt;
    const Expression& expression = templates_.expression(id);
    if (const auto all = closure(id, capable, expression)) return all;
    for (std::size_t i = 0; i < op.inputs.size(); ++i)
      if (capable >> i & 1u)
        if (const auto one = closure(id, std::uint64_t{1} << i, expression); one && (*one & capable) == (std::uint64_t{1} << i)) return one;
    return std::nullopt;
  }

  std::optional<std::uint64_t> closure(OperatorId id, std::uint64_t partial, const Expression& expression) const {
    const auto found = partialClosure(expression, partial, Reduction::sum);
    if (!found) return std::nullopt;
    for (std::size_t i = 0; i < graph_[id].inputs.size(); ++i)
      if (*found >> i & 1u && !isFloating(graph_[graph_[id].inputs[i]].dtype)) return std::nullopt;
    return found;
  }

  // The region that partial sums over one axis can reach, then its least cut.
  void placeAxis(AxisId axis) {
    std::vector<bool> capable(graph_.tensors.size(), false);
    std::vector<std::uint64_t> masks(graph_.operators.size(), 0);
    bool any = false;
    for (std::size_t i = 0; i < graph_.operators.size(); ++i) {
      const OperatorId id(static_cast<std::int64_t>(i));
      const Operator& op = graph_[id];
      std::uint64_t holds = 0;
      for (std::size_t k = 0; k < op.inputs.size() && k < 64; ++k)
        if (capable[op.inputs[k].index()]) holds |= std::uint64_t{1} << k;
      if (holds != 0)
        if (const auto mask = passing(id, holds, axis)) masks[i] = *mask;
      for (TensorId output : op.outputs) {
        const bool raw = raw_[output.index()].contains(axis) && result_.reduction[output.index()] == Reduction::sum;
        capable[output.index()] = raw || masks[i] != 0;
        any |= capable[output.index()];
      }
    }
    if (any) cut(axis, capable, masks);
  }

  void cut(AxisId axis, const std::vector<bool>& capable, const std::vector<std::uint64_t>& masks) {
    FlowNetwork network;
    const int source = network.addNode(), sink = network.addNode();
    std::vector<int> entry(capable.size(), -1);
    for (std::size_t t = 0; t < capable.size(); ++t) {
      if (!capable[t]) continue;
      entry[t] = network.addNode();
      network.addNode();
      const TensorId id(static_cast<std::int64_t>(t));
      network.addEdge(entry[t], entry[t] + 1, resolveBytes(id, axis, masks));
      if (raw_[t].contains(axis)) network.addEdge(source, entry[t], FlowNetwork::unlimited);
      if (endsHere(id, masks)) network.addEdge(entry[t] + 1, sink, FlowNetwork::unlimited);
    }
    for (std::size_t i = 0; i < masks.size(); ++i) {
      if (masks[i] == 0) continue;
      const Operator& op = graph_.operators[i];
      for (std::size_t k = 0; k < op.inputs.size(); ++k)
        if (masks[i] >> k & 1u && capable[op.inputs[k].index()])
          for (TensorId output : op.outputs) network.addEdge(entry[op.inputs[k].index()] + 1, entry[output.index()], FlowNetwork::unlimited);
    }
    network.run(source, sink);
    const std::vector<bool> side = network.sourceSide(source);
    for (std::size_t t = 0; t < capable.size(); ++t) {
      if (!capable[t] || !side[static_cast<std::size_t>(entry[t])]) continue;
      result_.produced[t].insert(axis);
      if (side[static_cast<std::size_t>(entry[t]) + 1]) result_.kept[t].insert(axis);
    }
    for (std::size_t i = 0; i < masks.size(); ++i) pass(i, axis, masks[i]);
  }

  // An operator passes when one of its operands stays partial; then the others of its set have to be partial too.
  void pass(std::size_t op, AxisId axis, std::uint64_t mask) {
    bool passes = false;
    const std::vector<TensorId>& inputs = graph_.operators[op].inputs;
    for (std::size_t k = 0; k < inputs.size() && k < 64; ++k) passes |= (mask >> k & 1u) && result_.kept[inputs[k].index()].contains(axis);
    if (!passes) return;
    result_.operators[op].passes.insert(axis);
    for (std::size_t k = 0; k < inputs.size() && k < 64; ++k)
      if (mask >> k & 1u) result_.operators[op].operands[k].insert(axis);
  }

  bool endsHere(TensorId tensor, const std::vector<std::uint64_t>& masks) const {
    if (ends_[tensor.index()]) return true;
    for (OperatorId reader : readers_[tensor.index()]) {
      const std::vector<TensorId>& inputs = graph_[reader].inputs;
      for (std::size_t k = 0; k < inputs.size(); ++k)
        if (inputs[k] == tensor && (k >= 64 || !(masks[reader.index()] >> k & 1u))) return true;
    }
    return false;
  }

  // Twice its local bytes for an all-reduce; once where all who need it whole need only their part of it.
  std::int64_t resolveBytes(TensorId tensor, AxisId axis, const std::vector<std::uint64_t>& masks) const {
    const OperatorId producer = graph_[tensor].producer;
    const std::vector<TensorId>& outputs = graph_[producer].outputs;
    const auto o = std::find(outputs.begin(), outputs.end(), tensor) - outputs.begin();
    const Sharding made = producedOutput(templates_.expression(producer), static_cast<int>(o), decisions_.operators[producer.index()].axes);
    std::int64_t bytes = byteSize(graph_[tensor].dtype);
    for (std::size_t d = 0; d < made.dims.size(); ++d) bytes *= paddedBlock(graph_.size(graph_[tensor].shape[d]), made.dims[d], mesh_);
    return std::max<std::int64_t>(1, bytes) * (scattered(tensor, axis, masks) ? 1 : 2);
  }

  bool scattered(TensorId tensor, AxisId axis, const std::vector<std::uint64_t>& masks) const {
    bool any = false;
    for (OperatorId reader : readers_[tensor.index()]) {
      const std::vector<TensorId>& inputs = graph_[reader].inputs;
      for (std::size_t k = 0; k < inputs.size() && k < 64; ++k) {
        if (inputs[k] != tensor || masks[reader.index()] >> k & 1u) continue;
        const Placement& need = templates_.required(reader, static_cast<int>(k), decisions_.operators[reader.index()].axes);
        if (!need.plain() || !need.sharding.used().contains(axis)) return false;
        any = true;
      }
    }
    for (const Update& update : graph_.updates) {
      if (update.value != tensor) continue;
      if (!decisions_.tensors[update.state.index()].sharding.used().contains(axis)) return false;
      any = true;
    }
    return any;
  }

  const Graph& graph_;
  const Templates& templates_;
  const Decisions& decisions_;
  const Mesh& mesh_;
  TensorId loss_;
  std::vector<std::vector<OperatorId>> readers_;
  std::vector<AxisSet> raw_;   // per tensor: partial by its operator's own reduced loops
  std::vector<bool> ends_;     // per tensor: has to be whole whoever reads it
  Partials result_;
};

}  // namespace

Partials placePartials(const Graph& graph, const Templates& templates, const Decisions& decisions, const Mesh& mesh, TensorId loss) {
  return Placer(graph, templates, decisions, mesh, loss).run();
}

}  // namespace core
