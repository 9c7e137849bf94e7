#include "core/tdl/interval.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "core/tdl/linear.h"

namespace core {
namespace {

using Wide = __int128;

std::int64_t narrowed(Wide value) {
  constexpr Wide least = std::numeric_limits<std::int64_t>::min(), most = std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(std::clamp(value, least, most));
}

Interval affineInterval(const AxisIndex& index, std::span<const Range> loops) {
  for (const LoopTerm& term : index.terms)
    if (loops[static_cast<std::size_t>(term.loop)].size <= 0) return {};
  Wide low = index.offset, high = index.offset;
  for (const LoopTerm& term : collected(index.terms)) {  // x[i - i + j] reads by j alone
    const Range& range = loops[static_cast<std::size_t>(term.loop)];
    const Wide first = Wide{term.factor} * range.start, last = Wide{term.factor} * (range.end() - 1);
    low += std::min(first, last);
    high += std::max(first, last);
  }
  return {narrowed(low), narrowed(high)};
}

Interval remainders(const Interval& all, std::int64_t modulo) {
  if (floorDivide(all.low, modulo) != floorDivide(all.high, modulo)) return {0, modulo - 1};
  return {floorModulo(all.low, modulo), floorModulo(all.high, modulo)};
}

}  // namespace

Interval hull(const Interval& a, const Interval& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

Interval intersect(const Interval& a, const Interval& b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

Interval indexInterval(const AxisIndex& index, std::span<const Range> loops, std::int64_t axisSize) {
  const Interval whole{0, axisSize - 1};
  if (index.kind == AxisIndex::Kind::whole) return whole;
  if (index.kind == AxisIndex::Kind::lookup) {
    if (index.loop < 0) return whole;
    const Range& rows = loops[static_cast<std::size_t>(index.loop)];
    return {rows.start, rows.end() - 1};
  }
  assert(index.divide >= 1 && index.modulo >= 0 && "division and remainder are by positive constants");
  Interval found = affineInterval(index, loops);
  if (found.empty()) return {};
  if (index.divide != 1) found = {floorDivide(found.low, index.divide), floorDivide(found.high, index.divide)};
  return index.modulo != 0 ? remainders(found, index.modulo) : found;
}

std::vector<Interval> operandIntervals(const Expression& expression, int operand, std::span<const std::int64_t> sizes,
                                       std::span<const Range> loops) {
  std::vector<Interval> found(sizes.size());
  for (const Node& node : expression.nodes) {
    if (node.kind != Node::Kind::read || node.operand != operand) continue;
    assert(node.axes.size() == sizes.size() && "a read names every axis of its operand");
    for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
      const Interval read = indexInterval(node.axes[axis], loops, sizes[axis]);
      found[axis] = hull(found[axis], intersect(read, {0, sizes[axis] - 1}));
    }
  }
  return found;
}

std::vector<Range> wholeRanges(const Expression& expression) {
  std::vector<Range> ranges;
  for (const Loop& loop : expression.loops) ranges.push_back({0, loop.extent});
  return ranges;
}

}  // namespace core
