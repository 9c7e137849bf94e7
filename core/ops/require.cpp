#include "core/ops/require.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"

namespace core {

void refuse(const OperatorView& op, std::string what, std::string right) {
  throw Error{
      .what = std::move(what), .where = fmt::format("{} ({})", op.name(), op.kind()), .right = std::move(right)};
}

void requireInputs(const OperatorView& op, std::size_t count) {
  if (op.inputCount() != count)
    refuse(op, fmt::format("{} inputs given", op.inputCount()), fmt::format("{} takes {}", op.kind(), count));
}

void requireSameType(const OperatorView& op) {
  for (std::size_t i = 1; i < op.inputCount(); ++i)
    if (op.dtype(i) != op.dtype(0))
      refuse(op, fmt::format("inputs of types {} and {}", toString(op.dtype(0)), toString(op.dtype(i))),
             "cast one of them: types are not mixed");
}

void requireFloating(const OperatorView& op, std::size_t input) {
  if (!isFloating(op.dtype(input)))
    refuse(op, fmt::format("\"{}\" is of type {}", op.graph()[op.input(input)].name, toString(op.dtype(input))),
           "a floating type; cast it");
}

void requireInteger(const OperatorView& op, std::size_t input) {
  if (op.dtype(input) != DType::i32 && op.dtype(input) != DType::i64)
    refuse(op, fmt::format("\"{}\" is of type {}", op.graph()[op.input(input)].name, toString(op.dtype(input))),
           "i32 or i64");
}

void requireDim(const OperatorView& op, std::size_t input, DimId dim) {
  if (!holds(op.shape(input), dim))
    refuse(op, fmt::format("\"{}\" {} has no dimension \"{}\"", op.graph()[op.input(input)].name,
                           shapeText(op.graph(), op.shape(input)), op.dimName(dim)));
}

void requireNoDim(const OperatorView& op, std::size_t input, DimId dim) {
  if (holds(op.shape(input), dim))
    refuse(op, fmt::format("the result would have dimension \"{}\" twice", op.dimName(dim)), "rename it first");
}

void requireSize(const OperatorView& op, DimId dim, std::int64_t size, const std::string& because) {
  if (op.size(dim) != size && op.size(dim) != 0 && size != 0)
    refuse(op, fmt::format("dimension \"{}\" has size {}, not {}", op.dimName(dim), op.size(dim), size), because);
}

bool holds(const Shape& shape, DimId dim) {
  return std::find(shape.begin(), shape.end(), dim) != shape.end();
}

Shape without(Shape shape, const Shape& dims) {
  std::erase_if(shape, [&](DimId dim) { return holds(dims, dim); });
  return shape;
}

Shape replaced(Shape shape, DimId dim, const Shape& by) {
  const auto place = std::find(shape.begin(), shape.end(), dim);
  shape.insert(shape.erase(place), by.begin(), by.end());
  return shape;
}

DimId only(const OperatorView& op, const std::string& attribute) {
  const Shape& dims = op.dims(attribute);
  if (dims.size() != 1) refuse(op, fmt::format("attribute \"{}\" names {} dimensions", attribute, dims.size()), "one");
  return dims[0];
}

std::string shapeText(const Graph& graph, const Shape& shape) {
  std::string text;
  for (DimId dim : shape)
    text += fmt::format("{}{}:{}", text.empty() ? "" : " ", graph[dim].name,
                        graph.size(dim) == 0 ? "?" : std::to_string(graph.size(dim)));
  return "[" + text + "]";
}

}  // namespace core
