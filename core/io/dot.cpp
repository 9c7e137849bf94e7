#include "core/io/dot.h"

#include <fmt/format.h>

#include <map>

#include "core/base/text.h"

namespace core {
namespace {

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n' || c == '\r') {
      result += ' ';
      continue;
    }
    result += c;
  }
  return result + "\"";
}

// Scopes as a tree, so that clusters nest as they do.
struct Scope {
  std::map<std::string, Scope, std::less<>> inner;
  std::vector<OperatorId> operators;
};

Scope scopesOf(const Graph& graph) {
  Scope root;
  for (std::size_t i = 0; i < graph.operators.size(); ++i) {
    Scope* at = &root;
    const std::string_view scope = scopeOf(graph.operators[i].name);
    if (!scope.empty())
      for (std::string_view part : split(scope, '/')) at = &at->inner[std::string(part)];
    at->operators.push_back(OperatorId(static_cast<std::int64_t>(i)));
  }
  return root;
}

void printScope(const Graph& graph, const Scope& scope, const std::string& path, std::string& text) {
  for (OperatorId id : scope.operators) {
    const std::string& name = graph[id].name;
    text += fmt::format("  op{} [label={}, tooltip={}];\n", id.value, quoted(graph[id].kind), quoted(name));
  }
  for (const auto& [name, inner] : scope.inner) {
    const std::string innerPath = path.empty() ? name : path + "/" + name;
    text += fmt::format("  subgraph {} {{ label={}; style=rounded; color=gray60;\n", quoted("cluster_" + innerPath), quoted(name));
    printScope(graph, inner, innerPath, text);
    text += "  }\n";
  }
}

std::string tensorLabel(const Graph& graph, TensorId id, const Analysis& analysis) {
  const Tensor& tensor = graph[id];
  const Mesh& mesh = analysis.plan->variants[analysis.variant].mesh;
  std::string text;
  for (std::size_t d = 0; d < tensor.shape.size(); ++d) {
    const Dim& dim = graph[tensor.shape[d]];
    text += (text.empty() ? "" : " ") + dim.name + ":" + (dim.size == 0 ? std::string("?") : std::to_string(dim.size));
    if (id.index() >= analysis.layouts.size()) continue;
    for (AxisId axis : analysis.layouts[id.index()].sharding.dims[d]) text += "/" + mesh.axes[axis].name;
  }
  return text;
}

}  // namespace

std::string printDot(const Analysis& analysis) {
  const Graph& graph = analysis.step ? *analysis.step : *analysis.plan->graph;
  std::string text = fmt::format("digraph {} {{\n  rankdir=TB; node [shape=box, style=rounded, fontname=\"sans-serif\", fontsize=10]; edge [fontname=\"sans-serif\", fontsize=8];\n",
                                 quoted(analysis.plan->name));
  printScope(graph, scopesOf(graph), "", text);
  const auto readers = consumers(graph);
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    const Tensor& tensor = graph.tensors[i];
    const TensorId id(static_cast<std::int64_t>(i));
    const std::string from = tensor.producer.valid() ? fmt::format("op{}", tensor.producer.value) : fmt::format("tensor{}", i);
    if (!tensor.producer.valid() && !readers[i].empty())
      text += fmt::format("  {} [shape={}, label={}];\n", from, tensor.kind == TensorKind::input ? "ellipse" : "cylinder", quoted(tensor.name));
    for (OperatorId reader : readers[i]) text += fmt::format("  {} -> op{} [label={}];\n", from, reader.value, quoted(tensorLabel(graph, id, analysis)));
  }
  for (TensorId output : graph.outputs) {
    text += fmt::format("  output{} [shape=ellipse, label={}];\n", output.value, quoted(graph[output].name));
    const Tensor& tensor = graph[output];
    text += fmt::format("  {}{} -> output{} [label={}];\n", tensor.producer.valid() ? "op" : "tensor", tensor.producer.valid() ? tensor.producer.value : output.value,
                        output.value, quoted(tensorLabel(graph, output, analysis)));
  }
  return text + "}\n";
}

}  // namespace core
