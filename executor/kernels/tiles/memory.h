#pragma once

#include <cstddef>
#include <cstdint>

#include "core/graph/dtype.h"

namespace executor::tiles {

// The part of an operand's memory that a tile covers; an axis that it does not vary along has size one.
struct MemoryTile {
  std::byte* data = nullptr;
  core::DType dtype = core::DType::f32;
  std::int64_t rows = 1, columns = 1;
  std::int64_t rowStride = 0, columnStride = 0;

  // Without gaps, as in a register.
  bool dense() const { return (columns == 1 || columnStride == 1) && (rows == 1 || rowStride == columns); }
};

// Memory into a register, row by row without gaps; and back, as storeElement does.
void gather(const MemoryTile& memory, float* out);
void gather(const MemoryTile& memory, double* out);
void scatter(const float* in, const MemoryTile& memory);
void scatter(const double* in, const MemoryTile& memory);

}  // namespace executor::tiles
