#include "executor/tensor.h"

#include <map>

#include "core/tdl/element.h"
#include "executor/collectives/reduce.h"
#include "executor/kernels/copy.h"

namespace executor {
namespace {

std::string shapeText(const std::vector<std::int64_t>& sizes) {
  std::string text = "[";
  for (std::size_t d = 0; d < sizes.size(); ++d) text += (d ? "," : "") + std::to_string(sizes[d]);
  return text + "]";
}

}  // namespace

Tensor Tensor::zeros(core::DType dtype, std::vector<std::int64_t> sizes) {
  Tensor tensor{dtype, std::move(sizes), {}};
  tensor.bytes.resize(static_cast<std::size_t>(tensor.elements() * core::byteSize(dtype)));
  return tensor;
}

Tensor Tensor::of(core::DType dtype, std::vector<std::int64_t> sizes, std::span<const double> values) {
  Tensor tensor = zeros(dtype, std::move(sizes));
  for (std::size_t i = 0; i < values.size(); ++i) core::storeElement(tensor.bytes.data(), static_cast<std::int64_t>(i), dtype, values[i]);
  return tensor;
}

std::vector<double> Tensor::values() const {
  std::vector<double> numbers(static_cast<std::size_t>(elements()));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = core::loadElement(bytes.data(), static_cast<std::int64_t>(i), dtype);
  return numbers;
}

void scatter(const Tensor& whole, const core::Buffer& buffer, const core::Mesh& mesh, std::int64_t rank, std::byte* block) {
  if (whole.dtype != buffer.dtype || whole.sizes != buffer.sizes)
    throw core::Error{.what = "given " + std::string(core::toString(whole.dtype)) + " " + shapeText(whole.sizes),
                      .where = buffer.name,
                      .right = std::string(core::toString(buffer.dtype)) + " " + shapeText(buffer.sizes)};
  const Held source = wholeTensor(whole.dtype, whole.sizes), target = heldOf(buffer, mesh, mesh.coordinate(rank));
  run(copyOf(target.ranges, source, target), whole.bytes.data(), block, core::byteSize(buffer.dtype));
}

Tensor gather(const core::Buffer& buffer, const core::Mesh& mesh, std::span<const std::byte* const> blocks) {
  // One whole tensor for each coordinate on the partial axes; then these are reduced.
  std::map<core::Coordinate, Tensor> parts;
  const Held target = wholeTensor(buffer.dtype, buffer.sizes);
  for (std::size_t rank = 0; rank < blocks.size(); ++rank) {
    core::Coordinate at = mesh.coordinate(static_cast<std::int64_t>(rank));
    const Held source = heldOf(buffer, mesh, at);
    for (core::AxisId axis = 0; axis < mesh.axes.size(); ++axis)
      if (!buffer.placement.sharding.partial.contains(axis)) at[axis] = 0;
    Tensor& part = parts.try_emplace(at, Tensor::zeros(buffer.dtype, buffer.sizes)).first->second;
    run(copyOf(source.ranges, source, target), blocks[rank], part.bytes.data(), core::byteSize(buffer.dtype));
  }
  Tensor whole = std::move(parts.begin()->second);
  for (auto part = std::next(parts.begin()); part != parts.end(); ++part)
    reduceInto(buffer.dtype, buffer.placement.sharding.reduction, part->second.bytes.data(), whole.bytes.data(), whole.elements());
  return whole;
}

}  // namespace executor
