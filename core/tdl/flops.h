#pragma once

#include <cstdint>
#include <span>

#include "core/tdl/expression.h"

namespace core {

// The flops of an expression while its loops have these extents (a rank's own): one add or multiply is one, a reduction
// of n terms n, an elementwise function one; comparison, select, logic and casts none; a lookup costs nothing. Of a
// select the dearer branch counts.
//
//   y[i,j] = sum(k) a[i,k] * b[k,j]: i * j * (k + k)
std::int64_t flops(const Expression& expression, std::span<const std::int64_t> loopExtents);

}  // namespace core
