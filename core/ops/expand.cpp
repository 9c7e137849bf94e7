#include "core/ops/expand.h"

#include <algorithm>
#include <cassert>

#include "core/ops/builder.h"
#include "core/ops/op.h"

namespace core {
namespace {

bool isComposite(const Operator& op) {
  return op.kind != "opaque" && findOp(op.kind).expand != nullptr;
}

bool hasComposite(const Graph& graph) {
  return std::any_of(graph.operators.begin(), graph.operators.end(), isComposite);
}

// One level of parts; what a part is itself made of comes with the next level.
class Expansion {
 public:
  explicit Expansion(const Graph& graph) : graph_(graph), made_(leavesOf(graph)), now_(graph.tensors.size()) {
    for (std::size_t i = 0, next = 0; i < graph.tensors.size(); ++i)
      if (graph.tensors[i].kind != TensorKind::value) now_[i] = TensorId(static_cast<std::int64_t>(next++));
    for (const Operator& op : graph.operators) made_.uniqueName(op.name);  // no part takes a name that is still to come
    for (const Tensor& tensor : graph.tensors) made_.uniqueName(tensor.name);
  }

  Graph run() {
    for (const Operator& op : graph_.operators) {
      std::vector<TensorId> inputs;
      inputs.reserve(op.inputs.size());
      for (TensorId id : op.inputs) inputs.push_back(now_[id.index()]);
      if (isComposite(op))
        replace(op, std::move(inputs));
      else
        copy(op, std::move(inputs));
    }
    Graph done = made_.take();
    for (const Update& update : graph_.updates)
      done.updates.push_back({now_[update.state.index()], now_[update.value.index()]});
    for (TensorId id : graph_.outputs) done.outputs.push_back(now_[id.index()]);
    return done;
  }

 private:
  static Graph leavesOf(const Graph& graph) {
    Graph leaves;
    leaves.name = graph.name;
    leaves.dims = graph.dims;
    leaves.aliases = graph.aliases;
    leaves.tensors.reserve(graph.tensors.size() * 2);
    leaves.operators.reserve(graph.operators.size() * 2);
    for (const Tensor& tensor : graph.tensors)
      if (tensor.kind != TensorKind::value) leaves.tensors.push_back(tensor);
    return leaves;
  }

  void copy(const Operator& op, std::vector<TensorId> inputs) {
    Graph& to = made_.edit();
    Operator same{
        .name = op.name, .kind = op.kind, .attributes = op.attributes, .inputs = std::move(inputs), .outputs = {}};
    for (TensorId id : op.outputs) {
      now_[id.index()] = TensorId(static_cast<std::int64_t>(to.tensors.size()));
      same.outputs.push_back(now_[id.index()]);
      to.tensors.push_back(graph_[id]);
      to.tensors.back().producer = OperatorId(static_cast<std::int64_t>(to.operators.size()));
    }
    to.operators.push_back(std::move(same));
  }

  void replace(const Operator& op, std::vector<TensorId> inputs) {
    const Operator here{
        .name = op.name, .kind = op.kind, .attributes = op.attributes, .inputs = std::move(inputs), .outputs = {}};
    const std::size_t first = made_.graph().operators.size();
    const std::vector<TensorId> outputs = findOp(op.kind).expand(made_, OperatorView(made_.graph(), here));
    assert(outputs.size() >= op.outputs.size() && "an expansion makes what its operator makes");
    const auto known = op.attributes.find("origin");
    const Attribute origin = known == op.attributes.end() ? Attribute(op.name) : known->second;
    for (std::size_t i = first; i < made_.graph().operators.size(); ++i)
      made_.edit().operators[i].attributes["origin"] = origin;
    for (std::size_t i = 0; i < op.outputs.size(); ++i) {
      now_[op.outputs[i].index()] = outputs[i];
      made_.edit().tensors[outputs[i].index()].name = graph_[op.outputs[i]].name;
    }
  }

  const Graph& graph_;
  GraphBuilder made_;
  std::vector<TensorId> now_;  // by tensor of `graph_`: the tensor of the new graph
};

}  // namespace

Graph expand(const Graph& graph) {
  Graph now = Expansion(graph).run();
  while (hasComposite(now)) now = Expansion(now).run();
  return now;
}

}  // namespace core
