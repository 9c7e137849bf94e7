#include <fmt/format.h>

#include "core/graph/graph.h"

namespace core {
namespace {

std::string dimText(const Graph& graph, DimId id, bool withSize) {
  const Dim& dim = graph[id];
  if (!withSize) return dim.name;
  return dim.size == 0 ? dim.name + ":?" : fmt::format("{}:{}", dim.name, dim.size);
}

std::string shapeText(const Graph& graph, const Shape& shape, bool withSizes) {
  std::string text;
  for (DimId id : shape) text += (text.empty() ? "" : " ") + dimText(graph, id, withSizes);
  return "[" + text + "]";
}

std::string typeText(DType type) {
  return type == DType::f32 ? "" : fmt::format(" {}", toString(type));
}

struct AttributeText {
  const Graph& graph;
  std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
  std::string operator()(double value) const { return fmt::format("{}", value); }
  std::string operator()(const std::string& value) const { return "\"" + value + "\""; }
  std::string operator()(const std::vector<std::int64_t>& values) const {
    return fmt::format("({})", fmt::join(values, " "));
  }
  std::string operator()(const std::vector<double>& values) const {
    return fmt::format("({})", fmt::join(values, " "));
  }
  std::string operator()(const std::vector<std::string>& values) const {
    return fmt::format("(\"{}\")", fmt::join(values, "\" \""));
  }
  std::string operator()(const Shape& shape) const { return shapeText(graph, shape, false); }
};

std::string leafLine(const Graph& graph, const Tensor& tensor, std::size_t width) {
  const std::string_view kind = tensor.kind == TensorKind::state ? toString(tensor.state) : toString(tensor.kind);
  return fmt::format("{:<{}}  {:<9}  {}{}\n", tensor.name, width, kind, shapeText(graph, tensor.shape, true),
                     typeText(tensor.dtype));
}

std::string namesOf(const Graph& graph, const std::vector<TensorId>& ids) {
  std::string text;
  for (TensorId id : ids) text += (text.empty() ? "" : ", ") + graph[id].name;
  return text;
}

std::string operatorLine(const Graph& graph, const Operator& op) {
  std::string arguments = namesOf(graph, op.inputs);
  for (const auto& [key, value] : op.attributes)
    arguments += fmt::format("{}{}={}", arguments.empty() ? "" : ", ", key, std::visit(AttributeText{graph}, value));
  std::string results;
  for (TensorId id : op.outputs)
    results += (results.empty() ? "" : ", ") + shapeText(graph, graph[id].shape, false) + typeText(graph[id].dtype);
  const std::string made =
      op.outputs.size() == 1 && graph[op.outputs[0]].name != op.name ? fmt::format("  as {}", op.name) : "";
  return fmt::format("{} = {}({}) -> {}{}\n", namesOf(graph, op.outputs), op.kind, arguments, results, made);
}

}  // namespace

std::string print(const Graph& graph) {
  std::size_t width = 0;
  for (const Tensor& tensor : graph.tensors)
    if (tensor.kind != TensorKind::value) width = std::max(width, tensor.name.size());
  std::string text;
  for (const Tensor& tensor : graph.tensors)
    if (tensor.kind != TensorKind::value) text += leafLine(graph, tensor, width);
  for (const Operator& op : graph.operators) text += operatorLine(graph, op);
  for (const Update& update : graph.updates)
    text += fmt::format("{} <- {}\n", graph[update.state].name, graph[update.value].name);
  if (!graph.outputs.empty()) text += fmt::format("return {}\n", namesOf(graph, graph.outputs));
  return text;
}

}  // namespace core
