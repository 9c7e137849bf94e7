#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/range.h"
#include "core/mesh/mesh.h"
#include "core/tdl/expression.h"

namespace core {

// What one tensor got: for each dimension the axes that split it, major first, and the axes over which
// the tensor is partial: its true value is the reduction of what those devices hold.
//
//   [batch:data d_model] partial over model (sum)
struct Sharding {
  std::vector<AxisList> dims;
  AxisSet partial;
  Reduction reduction = Reduction::sum;  // of the partial axes; sum when there are none

  static Sharding replicated(std::size_t rank) { return {std::vector<AxisList>(rank), {}, Reduction::sum}; }
  bool isReplicated() const;
  AxisSet used() const;     // axes that split a dimension
  bool operator==(const Sharding&) const = default;
  auto operator<=>(const Sharding&) const = default;
};

// "[batch:data, seq, d_model:model] partial(sum over model)"; names are the dimensions'.
std::string print(const Sharding& sharding, std::span<const std::string> names, const Mesh& mesh);

// Uneven splits are nested, major axis first: each level gives ceil(size/n) until the rest is used up.
//   17 over 8: 3 3 3 3 3 2 0 0
Range blockOf(std::int64_t size, const AxisList& axes, const Mesh& mesh, const Coordinate& at);
std::int64_t paddedBlock(std::int64_t size, const AxisList& axes, const Mesh& mesh);  // the largest block

// The part of a dimension that a loop of `extent`, split over axes, reads through ((factor*i + low .. high) / divide).
// A plain split has factor 1, low = high = 0, divide 1 and extent = the dimension's size. A halo has low < 0 or high > 0.
struct Window {
  std::int64_t extent = 0;  // of the loop that is split; 0 = a plain split of the dimension itself
  std::int64_t factor = 1;
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::int64_t divide = 1;
  bool plain() const { return extent == 0; }
  bool operator==(const Window&) const = default;
  auto operator<=>(const Window&) const = default;
};

// A sharding, and for dimensions read through a window what each device holds of them. Empty windows = all plain.
struct Placement {
  Sharding sharding;
  std::vector<Window> windows;
  bool plain() const;
  bool operator==(const Placement&) const = default;
  auto operator<=>(const Placement&) const = default;
};

// The indices of dimension d (of `size`) that the device at a coordinate holds.
Range rangeOf(const Placement& placement, std::size_t d, std::int64_t size, const Mesh& mesh, const Coordinate& at);
// The local size that is allocated: the largest range over all devices.
std::int64_t paddedSize(const Placement& placement, std::size_t d, std::int64_t size, const Mesh& mesh);
std::vector<std::int64_t> localShape(const Placement& placement, std::span<const std::int64_t> sizes, const Mesh& mesh);
std::vector<Range> localRanges(const Placement& placement, std::span<const std::int64_t> sizes, const Mesh& mesh, const Coordinate& at);

}  // namespace core
