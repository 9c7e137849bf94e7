#include "core/plan/edit/graph.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/graph/dims.h"

namespace core {
namespace {

template <class Things>
auto findNamed(Things& things, const std::string& name) {
  return std::find_if(things.begin(), things.end(), [&](const auto& one) { return one.name == name; });
}

template <class Things>
auto& requireNamed(Things& things, const std::string& name, const char* kind) {
  auto found = findNamed(things, name);
  if (found == things.end())
    throw Error{.what = fmt::format("there is no {} \"{}\"", kind, name),
                .where = "graph",
                .right = "the name of one that is there"};
  return *found;
}

template <class Things>
void requireFree(const Things& things, const std::string& name, const char* kind) {
  if (name.empty())
    throw Error{.what = fmt::format("a {} needs a name", kind), .where = "graph", .right = "at least one letter"};
  if (findNamed(things, name) != things.end())
    throw Error{
        .what = fmt::format("there is a {} \"{}\" already", kind, name), .where = "graph", .right = "another name"};
}

Plan withGraph(Plan plan, Graph graph) {
  plan.graph = std::make_shared<const Graph>(std::move(graph));
  return plan;
}

void renameRules(std::vector<Rule>& rules, const std::string& from, const std::string& to) {
  for (Rule& rule : rules)
    if (rule.dimension == from) rule.dimension = to;
}

bool reads(const Operator& op, TensorId tensor) {
  return std::find(op.inputs.begin(), op.inputs.end(), tensor) != op.inputs.end();
}

void requireUnread(const Graph& graph, const Operator& op) {
  for (TensorId output : op.outputs) {
    for (const Operator& other : graph.operators)
      if (reads(other, output))
        throw Error{.what = fmt::format("\"{}\" cannot be deleted: \"{}\" reads it", op.name, other.name),
                    .where = op.name,
                    .right = "delete the reader first"};
    for (const Update& update : graph.updates)
      if (update.value == output)
        throw Error{
            .what = fmt::format("\"{}\" cannot be deleted: it updates \"{}\"", op.name, graph[update.state].name),
            .where = op.name,
            .right = "keep it"};
  }
  std::size_t left = std::count_if(graph.outputs.begin(), graph.outputs.end(), [&](TensorId id) {
    return graph[id].producer.valid() && graph[graph[id].producer].name != op.name;
  });
  if (left == 0 && !graph.outputs.empty())
    throw Error{.what = fmt::format("\"{}\" cannot be deleted: it makes the graph's last output", op.name),
                .where = op.name,
                .right = "a graph has at least one output"};
}

// Tensors are numbered by position, so those behind a removed one move down by one.
struct Renumber {
  std::vector<std::int32_t> to;
  TensorId operator()(TensorId id) const { return id.valid() ? TensorId(to[id.index()]) : id; }
};

Renumber withoutTensors(Graph& graph, const std::vector<TensorId>& gone) {
  Renumber renumber{std::vector<std::int32_t>(graph.tensors.size(), -1)};
  std::vector<Tensor> kept;
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    if (std::find(gone.begin(), gone.end(), TensorId(static_cast<std::int64_t>(i))) != gone.end()) continue;
    renumber.to[i] = static_cast<std::int32_t>(kept.size());
    kept.push_back(std::move(graph.tensors[i]));
  }
  graph.tensors = std::move(kept);
  return renumber;
}

}  // namespace

Plan renameDimension(Plan plan, const std::string& from, const std::string& to) {
  if (from == to) return plan;
  Graph graph = *plan.graph;
  Dim& dim = requireNamed(graph.dims, from, "dimension");
  requireFree(graph.dims, to, "dimension");
  if (!std::all_of(to.begin(), to.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; }))
    throw Error{.what = fmt::format("\"{}\" is not a name of a dimension", to),
                .where = "graph",
                .right = "letters, digits and _"};
  dim.name = to;
  graph.aliases.erase(to);
  for (auto& [alias, target] : graph.aliases)
    if (target == from) target = to;
  for (Variant& variant : plan.variants) {
    renameRules(variant.layout.rules, from, to);
    for (Pin& pin : variant.layout.pins) renameRules(pin.dims, from, to);
  }
  return withGraph(std::move(plan), std::move(graph));
}

Plan bindDimensions(Plan plan, const std::map<std::string, std::int64_t>& sizes) {
  Graph graph = bindDims(*plan.graph, sizes);
  return withGraph(std::move(plan), std::move(graph));
}

Plan bindDimension(Plan plan, const std::string& name, std::int64_t size) {
  return bindDimensions(std::move(plan), {{name, size}});
}

Plan renameTensor(Plan plan, const std::string& from, const std::string& to) {
  if (from == to) return plan;
  Graph graph = *plan.graph;
  Tensor& tensor = requireNamed(graph.tensors, from, "tensor");
  requireFree(graph.tensors, to, "tensor");
  tensor.name = to;
  for (Variant& variant : plan.variants) {
    for (Pin& pin : variant.layout.pins)
      if (pin.tensor == from) pin.tensor = to;
    if (variant.step.lossOutput == from) variant.step.lossOutput = to;
  }
  return withGraph(std::move(plan), std::move(graph));
}

Plan renameOperator(Plan plan, const std::string& from, const std::string& to) {
  if (from == to) return plan;
  Graph graph = *plan.graph;
  Operator& op = requireNamed(graph.operators, from, "operator");
  requireFree(graph.operators, to, "operator");
  op.name = to;
  for (Variant& variant : plan.variants)
    for (Choice& choice : variant.layout.choices)
      if (choice.op == from) choice.op = to;
  return withGraph(std::move(plan), std::move(graph));
}

Plan deleteOperator(Plan plan, const std::string& name) {
  Graph graph = *plan.graph;
  Operator removed = requireNamed(graph.operators, name, "operator");
  requireUnread(graph, removed);
  auto place = findNamed(graph.operators, name) - graph.operators.begin();
  graph.operators.erase(graph.operators.begin() + place);
  std::vector<TensorId>& outputs = graph.outputs;
  std::erase_if(outputs, [&](TensorId id) {
    return std::find(removed.outputs.begin(), removed.outputs.end(), id) != removed.outputs.end();
  });

  Renumber renumber = withoutTensors(graph, removed.outputs);
  for (Operator& op : graph.operators) {
    for (TensorId& id : op.inputs) id = renumber(id);
    for (TensorId& id : op.outputs) id = renumber(id);
  }
  for (TensorId& id : outputs) id = renumber(id);
  for (Update& update : graph.updates) update = {renumber(update.state), renumber(update.value)};
  for (Tensor& tensor : graph.tensors)
    if (tensor.producer.value > place) --tensor.producer.value;
  for (Variant& variant : plan.variants)
    std::erase_if(variant.layout.choices, [&](const Choice& choice) { return choice.op == name; });
  return withGraph(std::move(plan), std::move(graph));
}

}  // namespace core
