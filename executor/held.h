#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/layout/sharding.h"
#include "core/spmd/program.h"

namespace executor {

// What one rank holds of a tensor: the valid part of it in global indices, and the padded block in memory that it lies in.
//
//   x [batch:17] over 8 ranks, rank 5: ranges {15..17}, shape {3}; global index 16 lies at element 1, element 2 is padding
struct Held {
  core::DType dtype = core::DType::f32;
  std::vector<std::int64_t> sizes;     // global
  std::vector<std::int64_t> shape;     // allocated, row-major
  std::vector<core::Range> ranges;     // valid, global
  std::vector<std::int64_t> strides;   // in elements, of `shape`
  std::int64_t bytes() const;          // allocated
  std::int64_t elements() const;       // allocated
  std::int64_t valid() const;          // elements that mean something
};

Held heldOf(const core::Buffer& buffer, const core::Mesh& mesh, const core::Coordinate& at);
// A whole tensor, as it stands in a file or in a test.
Held wholeTensor(core::DType dtype, std::vector<std::int64_t> sizes);

std::vector<std::int64_t> rowMajorStrides(std::span<const std::int64_t> shape);
std::int64_t product(std::span<const std::int64_t> numbers);
core::Range intersect(core::Range a, core::Range b);
std::vector<core::Range> intersect(std::span<const core::Range> a, std::span<const core::Range> b);
bool isEmpty(std::span<const core::Range> box);

}  // namespace executor
