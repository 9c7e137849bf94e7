#pragma once

#include <cstdint>
#include <span>

#include "core/tdl/expression.h"

namespace core {

// The flops of an expression while its loops have these extents (a rank's own): one add or multiply is one, a reduction
// of n terms n, an elementwise function one; comparison, select, logic and casts none; a lookup costs nothing. Of a
// select the dearer branch counts. Where a sum only picks, sum(v) select(x == v, a, 0), nobody goes through the loop v:
// it does not count. Where it takes one place in s, sum(u) select(i % s == 0, a, 0), a term in s counts.
//
//   y[i,j] = sum(k) a[i,k] * b[k,j]: i * j * (k + k)
std::int64_t flops(const Expression& expression, std::span<const std::int64_t> loopExtents);

}  // namespace core
