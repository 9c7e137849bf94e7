#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "executor/held.h"

namespace executor {

// A whole tensor in memory, row-major, as it is fed or gathered.
struct Tensor {
  core::DType dtype = core::DType::f32;
  std::vector<std::int64_t> sizes;
  std::vector<std::byte> bytes;
  bool operator==(const Tensor&) const = default;

  static Tensor zeros(core::DType dtype, std::vector<std::int64_t> sizes);
  // Rounded to dtype.
  static Tensor of(core::DType dtype, std::vector<std::int64_t> sizes, std::span<const double> values);
  std::int64_t elements() const { return product(sizes); }
  std::vector<double> values() const;
};

// This rank's part of a whole tensor, into its block. Error when type or sizes are not the buffer's.
void scatter(const Tensor& whole, const core::Buffer& buffer, const core::Mesh& mesh, std::int64_t rank, std::byte* block);

// The whole tensor from the blocks of all ranks, in the order of the ranks; what is partial is reduced.
Tensor gather(const core::Buffer& buffer, const core::Mesh& mesh, std::span<const std::byte* const> blocks);

}  // namespace executor
