#include "executor/held.h"

#include <algorithm>

namespace executor {

std::int64_t Held::elements() const { return product(shape); }
std::int64_t Held::bytes() const { return elements() * core::byteSize(dtype); }

std::int64_t Held::valid() const {
  std::int64_t count = 1;
  for (const core::Range& range : ranges) count *= range.size;
  return count;
}

Held heldOf(const core::Buffer& buffer, const core::Mesh& mesh, const core::Coordinate& at) {
  return {buffer.dtype, buffer.sizes, buffer.localShape, core::localRanges(buffer.placement, buffer.sizes, mesh, at), rowMajorStrides(buffer.localShape)};
}

Held wholeTensor(core::DType dtype, std::vector<std::int64_t> sizes) {
  Held held{.dtype = dtype, .sizes = sizes, .shape = sizes, .strides = rowMajorStrides(sizes)};
  for (std::int64_t size : sizes) held.ranges.push_back({0, size});
  return held;
}

std::vector<std::int64_t> rowMajorStrides(std::span<const std::int64_t> shape) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t d = shape.size(); d-- > 1;) strides[d - 1] = strides[d] * shape[d];
  return strides;
}

std::int64_t product(std::span<const std::int64_t> numbers) {
  std::int64_t result = 1;
  for (std::int64_t number : numbers) result *= number;
  return result;
}

core::Range intersect(core::Range a, core::Range b) {
  const std::int64_t start = std::max(a.start, b.start);
  return {start, std::max<std::int64_t>(0, std::min(a.end(), b.end()) - start)};
}

std::vector<core::Range> intersect(std::span<const core::Range> a, std::span<const core::Range> b) {
  std::vector<core::Range> common(a.size());
  for (std::size_t d = 0; d < a.size(); ++d) common[d] = intersect(a[d], b[d]);
  return common;
}

bool isEmpty(std::span<const core::Range> box) {
  return std::any_of(box.begin(), box.end(), [](const core::Range& range) { return range.size == 0; });
}

}  // namespace executor
