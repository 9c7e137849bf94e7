#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "executor/kernels/kernel.h"

namespace executor {

// A dimension of the product: how far apart its neighbours lie in the left and right operand and in the result; 0 where it has none.
struct ProductDim {
  std::int64_t size = 1;
  std::array<std::int64_t, 3> strides{};  // left, right, result
};

// result[batch, m, n] = sum(k) left[batch, m, k] * right[batch, k, n]
struct ProductShape {
  std::array<std::size_t, 2> operands{0, 1};  // which input is left, which is right
  std::array<std::int64_t, 3> base{};         // where each begins, in elements
  std::vector<ProductDim> batch, m, n, k;     // outermost first; neighbours that are one run are joined
};

// Of y = sum(...) a[...] * b[...]; none for anything else, and where nothing is summed or some range is empty.
std::optional<ProductShape> productShapeOf(const KernelRequest& request);

}  // namespace executor
