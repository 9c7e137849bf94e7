#include "core/layout/sharding.h"

#include <algorithm>

namespace core {
namespace {

std::int64_t ceilDivide(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

std::int64_t floorDivide(std::int64_t a, std::int64_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

// What a window reads of a dimension of `size` while its loop runs over `loop`.
Range readThrough(const Window& window, Range loop, std::int64_t size) {
  if (loop.size == 0) return {0, 0};
  const std::int64_t first = floorDivide(window.factor * loop.start + window.low, window.divide);
  const std::int64_t last = floorDivide(window.factor * (loop.end() - 1) + window.high, window.divide);
  const std::int64_t start = std::clamp<std::int64_t>(first, 0, size);
  return {start, std::max<std::int64_t>(0, std::min(last + 1, size) - start)};
}

std::string printAxes(const AxisList& axes, const Mesh& mesh) {
  std::string text;
  for (AxisId axis : axes) text += (text.empty() ? "" : ",") + mesh.axes[axis].name;
  return text;
}

}  // namespace

bool Sharding::isReplicated() const {
  return partial.empty() && std::all_of(dims.begin(), dims.end(), [](const AxisList& axes) { return axes.empty(); });
}

AxisSet Sharding::used() const {
  AxisSet set;
  for (const AxisList& axes : dims)
    for (AxisId axis : axes) set.insert(axis);
  return set;
}

std::string print(const Sharding& sharding, std::span<const std::string> names, const Mesh& mesh) {
  std::string text = "[";
  for (std::size_t d = 0; d < sharding.dims.size(); ++d) {
    if (d > 0) text += ", ";
    text += names[d];
    if (!sharding.dims[d].empty()) text += ":" + printAxes(sharding.dims[d], mesh);
  }
  text += "]";
  if (!sharding.partial.empty()) {
    text += " partial(" + std::string(toString(sharding.reduction)) + " over ";
    bool first = true;
    for (AxisId axis = 0; axis < mesh.axes.size(); ++axis) {
      if (!sharding.partial.contains(axis)) continue;
      text += (first ? "" : ",") + mesh.axes[axis].name;
      first = false;
    }
    text += ")";
  }
  return text;
}

Range blockOf(std::int64_t size, const AxisList& axes, const Mesh& mesh, const Coordinate& at) {
  Range range{0, size};
  std::int64_t block = size;
  for (AxisId axis : axes) {
    block = ceilDivide(block, mesh.size(axis));
    const std::int64_t skipped = std::min(range.size, at[axis] * block);
    range = {range.start + skipped, std::min(block, range.size - skipped)};
  }
  return range;
}

std::int64_t paddedBlock(std::int64_t size, const AxisList& axes, const Mesh& mesh) {
  for (AxisId axis : axes) size = ceilDivide(size, mesh.size(axis));
  return size;
}

bool Placement::plain() const {
  return std::all_of(windows.begin(), windows.end(), [](const Window& window) { return window.plain(); });
}

Range rangeOf(const Placement& placement, std::size_t d, std::int64_t size, const Mesh& mesh, const Coordinate& at) {
  const AxisList& axes = placement.sharding.dims[d];
  if (placement.windows.empty() || placement.windows[d].plain()) return blockOf(size, axes, mesh, at);
  const Window& window = placement.windows[d];
  return readThrough(window, blockOf(window.extent, axes, mesh, at), size);
}

std::int64_t paddedSize(const Placement& placement, std::size_t d, std::int64_t size, const Mesh& mesh) {
  const AxisList& axes = placement.sharding.dims[d];
  if (placement.windows.empty() || placement.windows[d].plain()) return paddedBlock(size, axes, mesh);
  const Window& window = placement.windows[d];
  const std::int64_t block = paddedBlock(window.extent, axes, mesh);
  const std::int64_t spread = window.factor * (block - 1) + window.high - window.low;
  return std::min(size, ceilDivide(spread, window.divide) + 1);
}

std::vector<std::int64_t> localShape(const Placement& placement, std::span<const std::int64_t> sizes, const Mesh& mesh) {
  std::vector<std::int64_t> shape(sizes.size());
  for (std::size_t d = 0; d < sizes.size(); ++d) shape[d] = paddedSize(placement, d, sizes[d], mesh);
  return shape;
}

std::vector<Range> localRanges(const Placement& placement, std::span<const std::int64_t> sizes, const Mesh& mesh, const Coordinate& at) {
  std::vector<Range> ranges(sizes.size());
  for (std::size_t d = 0; d < sizes.size(); ++d) ranges[d] = rangeOf(placement, d, sizes[d], mesh, at);
  return ranges;
}

}  // namespace core
