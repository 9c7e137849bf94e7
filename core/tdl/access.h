#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/layout/sharding.h"
#include "core/mesh/mesh.h"
#include "core/tdl/expression.h"

// What splitting an operator's loops asks of its operands and does to its results; from the expression alone.
//
//   y[i,j] = sum(k) a[i,k] * b[k,j], i over data, k over model:
//     a [i:data, k:model]   b [k:model, j]   y [i:data, j] partial(sum over model)

namespace core {

using LoopAxes = std::vector<AxisList>;  // which axes split each loop, one entry a loop

// May the loop be split: every output loop; a reduced or lookup loop whose sum stands where the result is linear in it,
// or whose max, min, product, and, or is the whole result.
std::vector<bool> splittableLoops(const Expression& expression);

// What each device must hold of an operand of these sizes. A halo is a window; where two split loops meet in one axis,
// or two reads of it disagree, the axis is needed whole.
Placement requiredOperand(const Expression& expression, int operand, std::span<const std::int64_t> sizes, const LoopAxes& loopAxes, const Mesh& mesh);

// What each device then holds of an output: split as its loops are, partial over the axes of reduced and lookup loops.
Sharding producedOutput(const Expression& expression, int output, const LoopAxes& loopAxes);

// A loop that reads this axis of an operand so that splitting one is splitting the other, block for block: x[i]; the major part
// of a split or merge where the blocks agree. None where no loop does.
std::optional<int> alignedLoop(const Expression& expression, int operand, std::size_t axis, std::int64_t size, const AxisList& axes, const Mesh& mesh);

// A loop whose blocks read mostly their own block of the axis, and of the neighbours' at most half as much: a window with a halo.
//   x[2*p + u - 1], u < 3, x of 32 over 2: p
std::optional<int> nearbyLoop(const Expression& expression, int operand, std::size_t axis, std::int64_t size, const AxisList& axes, const Mesh& mesh);

// If the operands in `partial` (a bit each) hold partial results, which operands have to hold partial results of that
// reduction for the output to be one: the smallest such set that contains them, or none when the operator has to see whole values.
//   y = a + b: {a} needs {a, b}      y = 3 * a: {a}      relu(a): none
std::optional<std::uint64_t> partialClosure(const Expression& expression, std::uint64_t partial, Reduction reduction);

}  // namespace core
