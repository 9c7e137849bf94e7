#include "tests/support/graph_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/ops/expand.h"
#include "core/ops/op.h"
#include "core/tdl/element.h"

namespace tests {

using namespace core;

namespace {

void widen(Tensor& tensor) {
  if (tensor.dtype != DType::f32) return;
  tensor.dtype = DType::f64;
  const auto* values = std::get_if<InlineSource>(&tensor.source);
  if (!values) return;
  const std::size_t count = values->bytes->size() / sizeof(float);
  std::vector<std::byte> wide(count * sizeof(double));
  for (std::size_t i = 0; i < count; ++i)
    storeElement(wide.data(), static_cast<std::int64_t>(i), DType::f64,
                 loadElement(values->bytes->data(), static_cast<std::int64_t>(i), DType::f32));
  tensor.source = InlineSource{std::make_shared<const std::vector<std::byte>>(std::move(wide))};
}

std::vector<std::int64_t> sizesOf(const Graph& graph, TensorId tensor) {
  std::vector<std::int64_t> sizes;
  for (DimId dim : graph[tensor].shape) sizes.push_back(graph.size(dim));
  return sizes;
}

double initialValue(const Initializer& source, const RandomKey& key, std::uint64_t index) {
  switch (source.kind) {
    case Initializer::Kind::constant:
      return source.first;
    case Initializer::Kind::normal:
      return source.first + source.second * normalAt(key, index);
    case Initializer::Kind::uniform:
      return source.first + (source.second - source.first) * uniformAt(key, index);
  }
  return 0;
}

Array sourceValues(const Graph& graph, TensorId id, std::uint64_t seed) {
  const Tensor& tensor = graph[id];
  Array array{sizesOf(graph, id), {}};
  array.values.resize(static_cast<std::size_t>(elementsOf(array.sizes)));
  const RandomKey key = randomKey(seed, tensor.name);
  for (std::size_t i = 0; i < array.values.size(); ++i) {
    if (const auto* drawn = std::get_if<Initializer>(&tensor.source))
      array.values[i] = roundTo(tensor.dtype, initialValue(*drawn, key, i));
    if (const auto* given = std::get_if<InlineSource>(&tensor.source))
      array.values[i] = loadElement(given->bytes->data(), static_cast<std::int64_t>(i), tensor.dtype);
  }
  return array;
}

}  // namespace

Graph inDoublePrecision(Graph graph) {
  for (Tensor& tensor : graph.tensors) widen(tensor);
  for (Operator& op : graph.operators)
    if (const auto found = op.attributes.find("dtype");
        found != op.attributes.end() && found->second == Attribute(std::string("f32")))
      found->second = std::string("f64");
  return graph;
}

Array randomValues(Random& random, const Graph& graph, TensorId tensor) {
  const DType dtype = graph[tensor].dtype;
  if (!isFloating(dtype))
    return integerArray(random, sizesOf(graph, tensor), dtype == DType::boolean ? 0 : -9,
                        dtype == DType::boolean ? 1 : 9);
  Array array = normalArray(random, sizesOf(graph, tensor));
  for (double& value : array.values) value = roundTo(dtype, value);
  return array;
}

std::map<TensorId, Array> randomInputs(Random& random, const Graph& graph) {
  std::map<TensorId, Array> values;
  for (std::size_t i = 0; i < graph.tensors.size(); ++i)
    if (graph.tensors[i].kind == TensorKind::input)
      values[TensorId(static_cast<std::int64_t>(i))] =
          randomValues(random, graph, TensorId(static_cast<std::int64_t>(i)));
  return values;
}

namespace {

// Through the parts of composites, which keep the names of what they make.
std::vector<Array> evaluateComposites(const Graph& graph, const std::map<TensorId, Array>& given,
                                      const RandomContext& random) {
  const Graph parts = expand(graph);
  std::map<TensorId, Array> byPart;
  for (const auto& [tensor, array] : given) byPart[parts.findTensor(graph[tensor].name).value()] = array;
  const std::vector<Array> found = evaluateGraph(parts, byPart, random);
  std::vector<Array> values(graph.tensors.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    if (const auto same = parts.findTensor(graph.tensors[i].name)) values[i] = found[same->index()];
  return values;
}

}  // namespace

std::vector<Array> evaluateGraph(const Graph& graph, const std::map<TensorId, Array>& given,
                                 const RandomContext& random) {
  for (const Operator& op : graph.operators)
    if (findOp(op.kind).expand) return evaluateComposites(graph, given, random);
  std::vector<Array> values(graph.tensors.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const TensorId id(static_cast<std::int64_t>(i));
    if (given.count(id))
      values[i] = given.at(id);
    else if (!graph[id].producer.valid())
      values[i] = sourceValues(graph, id, random.seed);
  }
  for (const Operator& op : graph.operators) {
    std::vector<Array> operands;
    for (TensorId input : op.inputs) operands.push_back(values[input.index()]);
    const std::vector<Array> results = evaluate(expressionOf(graph, op), operands, random);
    for (std::size_t k = 0; k < results.size(); ++k) values[op.outputs[k].index()] = results[k];
  }
  return values;
}

Isolated isolate(const Graph& graph, OperatorId id, const std::vector<Array>& values) {
  Isolated made;
  made.graph.dims = graph.dims;
  Operator op = graph[id];
  std::map<TensorId, TensorId> renumbered;
  const auto add = [&](TensorId from, TensorKind kind, OperatorId producer) {
    const auto [known, fresh] =
        renumbered.try_emplace(from, TensorId(static_cast<std::int64_t>(made.graph.tensors.size())));
    if (!fresh) return known->second;
    Tensor tensor = graph[from];
    tensor.kind = kind;
    tensor.source = {};
    tensor.producer = producer;
    made.graph.tensors.push_back(std::move(tensor));
    return known->second;
  };
  for (TensorId& input : op.inputs) {
    const Array& value = values[input.index()];
    input = add(input, TensorKind::input, {});
    made.inputs[input] = value;
  }
  for (TensorId& output : op.outputs) {
    output = add(output, TensorKind::value, OperatorId(0));
    made.graph.outputs.push_back(output);
  }
  made.graph.operators.push_back(std::move(op));
  return made;
}

double largestDifference(const Array& a, const Array& b) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (a.sizes != b.sizes) return infinity;
  double largest = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    if (a.values[i] == b.values[i] || (std::isnan(a.values[i]) && std::isnan(b.values[i]))) continue;
    const double difference = std::abs(a.values[i] - b.values[i]);
    largest = std::max(largest, std::isnan(difference) ? infinity : difference);
  }
  return largest;
}

double largestSize(const Array& a) {
  double largest = 0;
  for (double value : a.values)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  return largest;
}

}  // namespace tests
