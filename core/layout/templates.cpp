#include "core/layout/templates.h"

#include <cstring>

#include "core/ops/op.h"

namespace core {
namespace {

template <class Value>
void append(std::string& key, const Value& value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void appendText(std::string& key, const std::string& text) {
  append(key, text.size());
  key += text;
}

struct AppendAttribute {
  std::string& key;
  void operator()(std::int64_t value) const { append(key, value); }
  void operator()(double value) const { append(key, value); }
  void operator()(const std::string& value) const { appendText(key, value); }
  template <class Value>
  void operator()(const std::vector<Value>& values) const {
    append(key, values.size());
    for (const Value& value : values) (*this)(value);
  }
  void operator()(DimId value) const { append(key, value.value); }
};

// Equal for operators that do the same to the same shapes, wherever they stand.
std::string keyOf(const Graph& graph, const Operator& op) {
  std::string key;
  appendText(key, op.kind);
  for (const auto& [name, value] : op.attributes) {
    if (name == "origin") continue;
    appendText(key, name);
    append(key, value.index());
    std::visit(AppendAttribute{key}, value);
  }
  for (TensorId input : op.inputs) {
    append(key, graph[input].dtype);
    append(key, graph[input].shape.size());
    for (DimId dim : graph[input].shape) append(key, dim.value);
  }
  return key;
}

// What the catalogue lacks: every operand whole, nothing split.
Expression opaqueExpression(const Graph& graph, const Operator& op) {
  Expression expression;
  for (std::size_t i = 0; i < op.inputs.size(); ++i) {
    Node read{.kind = Node::Kind::read, .operand = static_cast<int>(i)};
    read.axes.assign(graph[op.inputs[i]].shape.size(), AxisIndex{.kind = AxisIndex::Kind::whole});
    expression.operands.push_back("x" + std::to_string(i));
    expression.nodes.push_back(std::move(read));
  }
  expression.nodes.push_back({.kind = Node::Kind::constant});
  for (TensorId id : op.outputs) {
    ExpressionOutput output{.name = "y", .root = static_cast<int>(expression.nodes.size()) - 1, .dtype = graph[id].dtype};
    for (DimId dim : graph[id].shape) {
      output.loops.push_back(static_cast<int>(expression.loops.size()));
      expression.loops.push_back({.name = graph[dim].name, .extent = graph.size(dim)});
    }
    expression.outputs.push_back(std::move(output));
  }
  return expression;
}

}  // namespace

Templates::Templates(const Graph& graph, const Mesh& mesh) : graph_(graph), mesh_(mesh) {
  std::unordered_map<std::string, int> known;
  perOperator_.reserve(graph.operators.size());
  for (const Operator& op : graph.operators) {
    const bool opaque = op.kind == "opaque";
    const auto [place, isNew] = known.try_emplace(opaque ? "opaque " + op.name : keyOf(graph, op), static_cast<int>(entries_.size()));
    if (isNew) {
      auto entry = std::make_unique<Entry>();
      entry->expression = opaque ? opaqueExpression(graph, op) : expressionOf(graph, op);
      entry->splittable = opaque ? std::vector<bool>(entry->expression.loops.size(), false) : splittableLoops(entry->expression);
      entries_.push_back(std::move(entry));
    }
    perOperator_.push_back(place->second);
  }
}

const Placement& Templates::required(OperatorId op, int operand, const LoopAxes& loopAxes) const {
  std::string key;
  append(key, of(op));
  append(key, operand);
  for (const AxisList& axes : loopAxes) {
    append(key, axes.size());
    key.append(reinterpret_cast<const char*>(axes.begin()), axes.size());
  }
  const auto found = required_.find(key);
  if (found != required_.end()) return found->second;
  const TensorId tensor = graph_[op].inputs[static_cast<std::size_t>(operand)];
  return required_.emplace(std::move(key), requiredOperand(expression(op), operand, graph_.sizes(tensor), loopAxes, mesh_)).first->second;
}

}  // namespace core
