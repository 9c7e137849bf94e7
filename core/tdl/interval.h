#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/range.h"
#include "core/tdl/expression.h"

// What part of an operand is read while the loops run over given ranges.
//
//   x[2*p + u], p in 0..3, u in 0..2:  0..8          x[a*4 + b] under a in 2..3, b in 0..3:  8..15
//   x[d / 4],   d in 4..11:            1..2          x[d % 4]:                                0..3

namespace core {

// Both ends belong to it; empty when high < low.
struct Interval {
  std::int64_t low = 0;
  std::int64_t high = -1;
  bool empty() const { return high < low; }
  bool operator==(const Interval&) const = default;
};

Interval hull(const Interval& a, const Interval& b);  // the smallest that holds both; an empty one adds nothing
Interval intersect(const Interval& a, const Interval& b);

// Quotient and remainder as an AxisIndex means them: towards minus infinity, the remainder never negative.
constexpr std::int64_t floorDivide(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}
constexpr std::int64_t floorModulo(std::int64_t a, std::int64_t b) {
  return a - floorDivide(a, b) * b;
}

// The indices that one axis of a read takes, not cut to the operand: the exact ends for affine indices and quotients,
// and for remainders that do not wrap; a remainder that wraps gives 0 .. modulo-1. A lookup gives the range of its
// loop, `whole` the axis.
Interval indexInterval(const AxisIndex& index, std::span<const Range> loops, std::int64_t axisSize);

// For each axis of an operand the hull over all reads of it, cut to the operand; empty where it is not read.
std::vector<Interval> operandIntervals(const Expression& expression, int operand, std::span<const std::int64_t> sizes,
                                       std::span<const Range> loops);

std::vector<Range> wholeRanges(const Expression& expression);  // 0 .. extent of every loop

}  // namespace core
