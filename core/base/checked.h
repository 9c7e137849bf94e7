#pragma once

#include <cstdint>

#include "core/base/error.h"

// Sums and products of figures that must not wrap: bytes, flops, elements.

namespace core {

[[noreturn]] void refuseOverflow();  // Error: the figure does not fit 64 bits

inline std::int64_t checkedSum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) refuseOverflow();
  return sum;
}

inline std::int64_t checkedProduct(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) refuseOverflow();
  return product;
}

}  // namespace core
