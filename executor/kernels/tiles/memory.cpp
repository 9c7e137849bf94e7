#include "executor/kernels/tiles/memory.h"

#include <algorithm>
#include <cstring>

#include "core/tdl/element.h"

namespace executor::tiles {
namespace {

using core::DType;

template <class T, class U>
void gatherFrom(const T* data, const MemoryTile& memory, U* out) {
  const std::int64_t rows = memory.rows, columns = memory.columns, down = memory.rowStride, along = memory.columnStride;
  if (along == 1 || columns == 1) {
    for (std::int64_t r = 0; r < rows; ++r, data += down, out += columns) {
      if constexpr (std::is_same_v<T, U>) std::memcpy(out, data, static_cast<std::size_t>(columns) * sizeof(T));
      else std::copy_n(data, columns, out);
    }
    return;
  }
  constexpr std::int64_t block = 8;  // columns at a time, so that what runs fastest in memory is read in runs
  for (std::int64_t c = 0; c < columns; c += block) {
    const std::int64_t end = std::min(columns, c + block);
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t k = c; k < end; ++k) out[r * columns + k] = static_cast<U>(data[r * down + k * along]);
  }
}

template <class U>
void gatherAs(const MemoryTile& memory, U* out) {
  switch (memory.dtype) {
    case DType::f32: return gatherFrom(reinterpret_cast<const float*>(memory.data), memory, out);
    case DType::f64: return gatherFrom(reinterpret_cast<const double*>(memory.data), memory, out);
    case DType::i32: return gatherFrom(reinterpret_cast<const std::int32_t*>(memory.data), memory, out);
    case DType::i64: return gatherFrom(reinterpret_cast<const std::int64_t*>(memory.data), memory, out);
    case DType::boolean: return gatherFrom(reinterpret_cast<const std::uint8_t*>(memory.data), memory, out);
    case DType::bf16:
    case DType::f16: return;  // refused when the kernel is made
  }
}

template <class U, class T>
void scatterTo(const U* in, const MemoryTile& memory, T* data) {
  for (std::int64_t r = 0; r < memory.rows; ++r, data += memory.rowStride, in += memory.columns)
    for (std::int64_t c = 0; c < memory.columns; ++c) data[c * memory.columnStride] = static_cast<T>(in[c]);
}

// Whole numbers and truths, with all care for what does not fit.
template <class U>
void scatterWhole(const U* in, const MemoryTile& memory) {
  for (std::int64_t r = 0; r < memory.rows; ++r)
    for (std::int64_t c = 0; c < memory.columns; ++c)
      core::storeElement(memory.data, r * memory.rowStride + c * memory.columnStride, memory.dtype, static_cast<double>(in[r * memory.columns + c]));
}

template <class U>
void scatterAs(const U* in, const MemoryTile& memory) {
  if (memory.dtype == DType::f32) return scatterTo(in, memory, reinterpret_cast<float*>(memory.data));
  if (memory.dtype == DType::f64) return scatterTo(in, memory, reinterpret_cast<double*>(memory.data));
  scatterWhole(in, memory);
}

}  // namespace

void gather(const MemoryTile& memory, float* out) { gatherAs(memory, out); }
void gather(const MemoryTile& memory, double* out) { gatherAs(memory, out); }
void scatter(const float* in, const MemoryTile& memory) { scatterAs(in, memory); }
void scatter(const double* in, const MemoryTile& memory) { scatterAs(in, memory); }

}  // namespace executor::tiles
