#include "tests/support/imported_values.h"

#include <cmath>
#include <limits>

#include "core/graph/dims.h"
#include "core/io/mapped_file.h"
#include "core/io/tensor_file.h"
#include "core/ops/expand.h"
#include "core/tdl/element.h"
#include "tests/support/graph_values.h"

namespace tests {

using namespace core;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

Array arrayOf(const Graph& graph, const Tensor& tensor, std::span<const std::byte> bytes) {
  Array array;
  std::int64_t count = 1;
  for (DimId dim : tensor.shape) array.sizes.push_back(graph.size(dim)), count *= graph.size(dim);
  for (std::int64_t i = 0; i < count; ++i) array.values.push_back(loadElement(bytes.data(), i, tensor.dtype));
  return array;
}

bool fits(const Graph& graph, TensorId id, const TensorFile& file) {
  return file.dtype == graph[id].dtype && static_cast<std::int64_t>(file.bytes.size()) == graph.elements(id) * byteSize(file.dtype);
}

}  // namespace

std::map<TensorId, Array> recordedInputs(const Graph& graph, const std::string& folder) {
  std::map<TensorId, Array> given;
  int input = 0;
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    const Tensor& tensor = graph.tensors[i];
    TensorId id(static_cast<std::int64_t>(i));
    if (const auto* source = std::get_if<FileSource>(&tensor.source)) {
      MappedFile file(source->path);
      given[id] = arrayOf(graph, tensor, file.bytes().subspan(static_cast<std::size_t>(source->offset), static_cast<std::size_t>(source->bytes)));
    } else if (tensor.kind == TensorKind::input) {
      TensorFile file = readTensorFile(folder + "/input_" + std::to_string(input++) + ".pb");
      if (fits(graph, id, file)) given[id] = arrayOf(graph, tensor, file.bytes);
    }
  }
  return given;
}

Graph boundByInputs(const Graph& graph, const std::string& folder) {
  std::map<std::string, std::int64_t> sizes;
  std::vector<TensorId> inputs = graph.inputs();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Shape& shape = graph[inputs[i]].shape;
    std::vector<std::int64_t> given = readTensorFile(folder + "/input_" + std::to_string(i) + ".pb").sizes;
    if (given.size() != shape.size()) std::erase(given, 1);
    for (std::size_t d = 0; d < shape.size() && given.size() == shape.size(); ++d)
      if (graph.size(shape[d]) == 0) sizes[graph[shape[d]].name] = given[d];
  }
  return sizes.empty() ? graph : bindDims(graph, sizes);
}

double worstError(const Graph& model, const std::string& folder, double rtol, double atol) {
  Graph graph = expand(model);
  std::map<TensorId, Array> given = recordedInputs(graph, folder);
  for (TensorId input : graph.inputs())
    if (!given.count(input)) return infinite;
  std::vector<Array> values = evaluateGraph(graph, given);
  double most = 0;
  for (std::size_t k = 0; k < graph.outputs.size(); ++k) {
    TensorFile file = readTensorFile(folder + "/output_" + std::to_string(k) + ".pb");
    if (!fits(graph, graph.outputs[k], file)) return infinite;
    Array expected = arrayOf(graph, graph[graph.outputs[k]], file.bytes);
    const Array& found = values[graph.outputs[k].index()];
    for (std::size_t i = 0; i < found.values.size(); ++i) {
      double a = found.values[i], b = expected.values[i];
      if (a == b || (std::isnan(a) && std::isnan(b))) continue;
      double error = std::abs(a - b) - rtol * std::abs(b) - atol;
      most = std::max(most, std::isnan(error) ? infinite : error);
    }
  }
  return most;
}

}  // namespace tests
