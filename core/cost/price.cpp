#include "core/cost/price.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "core/base/checked.h"
#include "core/cost/memory.h"
#include "core/cost/price_collective.h"
#include "core/spmd/walk.h"
#include "core/tdl/flops.h"

namespace core {
namespace {

const Buffer& bufferOf(const Program& program, BufferId id) { return program.buffers[id.index()]; }

const Expression& expressionOf(const Program& program, const Instruction& instruction) {
  return program.expressions[static_cast<std::size_t>(instruction.expression)];
}

std::int64_t checkedFlops(const Expression& expression, std::span<const std::int64_t> extents) {
  const std::int64_t found = flops(expression, extents);
  if (found == std::numeric_limits<std::int64_t>::max()) refuseOverflow();
  return found;
}

// An opaque operator has no expression: its flops are not known and count as none.
std::int64_t localFlops(const Program& program, const Instruction& instruction, const Coordinate& at) {
  if (instruction.expression < 0) return 0;
  const Expression& expression = expressionOf(program, instruction);
  std::vector<std::int64_t> extents;
  for (std::size_t i = 0; i < expression.loops.size(); ++i)
    extents.push_back(blockOf(expression.loops[i].extent, instruction.loopAxes[i], program.mesh, at).size);
  return checkedFlops(expression, extents);
}

// True when rows of the operand are looked up: not all of it is read.
bool isLookedUp(const Expression& expression, std::size_t operand) {
  bool lookedUp = false;
  for (const Node& node : expression.nodes) {
    if (node.kind != Node::Kind::read || node.operand != static_cast<int>(operand)) continue;
    const bool here = std::any_of(node.axes.begin(), node.axes.end(), [](const AxisIndex& axis) { return axis.kind == AxisIndex::Kind::lookup; });
    if (!here) return false;
    lookedUp = true;
  }
  return lookedUp;
}

std::int64_t elementsOf(const Buffer& buffer) { return buffer.bytes / byteSize(buffer.dtype); }

std::int64_t bytesRead(const Program& program, const Instruction& instruction, std::size_t operand) {
  const Buffer& buffer = bufferOf(program, instruction.inputs[operand]);
  if (instruction.kind != InstructionKind::compute || instruction.expression < 0 || !isLookedUp(expressionOf(program, instruction), operand)) return buffer.bytes;
  std::int64_t rows = 0;
  for (BufferId output : instruction.outputs) rows = std::max(rows, elementsOf(bufferOf(program, output)));
  return std::min(buffer.bytes, checkedProduct(rows, byteSize(buffer.dtype)));
}

// Each buffer that is read or written, once.
std::int64_t bytesTouched(const Program& program, const Instruction& instruction) {
  std::int64_t bytes = 0;
  std::vector<BufferId> seen;
  for (std::size_t i = 0; i < instruction.inputs.size(); ++i) {
    if (std::find(seen.begin(), seen.end(), instruction.inputs[i]) != seen.end()) continue;
    seen.push_back(instruction.inputs[i]);
    bytes = checkedSum(bytes, bytesRead(program, instruction, i));
  }
  for (BufferId output : instruction.outputs) bytes = checkedSum(bytes, bufferOf(program, output).bytes);
  return bytes;
}

DType computeType(const Program& program, const Instruction& instruction) {
  for (BufferId id : instruction.outputs)
    if (isFloating(bufferOf(program, id).dtype)) return bufferOf(program, id).dtype;
  for (BufferId id : instruction.inputs)
    if (isFloating(bufferOf(program, id).dtype)) return bufferOf(program, id).dtype;
  return DType::f32;
}

// The slower of computing and moving, and what every instruction costs beside its work.
double localSeconds(const Machine& machine, double flops, double bytes, DType type) {
  const double computing = flops / (peakOf(machine, type) * efficiencyOf(machine, flops));
  return std::max(computing, bytes / machine.memoryBandwidth.value) + machine.launch.value;
}

InstructionCost priceLocal(const Program& program, const Instruction& instruction, std::int64_t flops, const Machine* machine) {
  InstructionCost cost{.flops = flops, .bytesTouched = bytesTouched(program, instruction)};
  if (machine)
    cost.seconds = localSeconds(*machine, static_cast<double>(flops), static_cast<double>(cost.bytesTouched), computeType(program, instruction));
  return cost;
}

InstructionCost priceFused(const Program& program, const Instruction& instruction, const Coordinate& at, const Machine* machine) {
  std::int64_t flops = 0;
  for (const Instruction& inner : instruction.body) flops = checkedSum(flops, localFlops(program, inner, at));
  return priceLocal(program, instruction, flops, machine);
}

InstructionCost priceUpdate(const Program& program, const Instruction& instruction, const Machine* machine, const Views* meant) {
  const auto owner = [&](BufferId id) { return bytesOwner(program, meant ? (*meant)(id) : id); };
  if (owner(instruction.inputs[0]) != owner(instruction.outputs[0])) return priceLocal(program, instruction, 0, machine);
  InstructionCost nothing;
  if (machine) nothing.seconds = 0;
  return nothing;
}

InstructionCost priceRepeat(const Program& program, const Instruction& instruction, const Coordinate& at, const Machine* machine) {
  InstructionCost total;
  if (machine) total.seconds = 0;
  const auto add = [](std::int64_t& to, std::int64_t figure) { to = checkedSum(to, figure); };
  Views views(program);
  for (std::int64_t i = 0; i < instruction.count; ++i) {
    views.enter(instruction, i);
    for (const Instruction& inner : instruction.body) {
      const InstructionCost one = price(program, inner, at, machine, &views);
      add(total.flops, one.flops);
      add(total.bytesIn, one.bytesIn);
      add(total.bytesOut, one.bytesOut);
      add(total.bytesTouched, one.bytesTouched);
      add(total.wireBytes, one.wireBytes);
      if (machine) *total.seconds += *one.seconds;
    }
    views.leave(instruction);
  }
  return total;
}

}  // namespace

InstructionCost price(const Program& program, const Instruction& instruction, const Coordinate& at, const Machine* machine, const Views* meant) {
  InstructionCost nothing;
  if (machine) nothing.seconds = 0;
  switch (instruction.kind) {
    case InstructionKind::compute: return priceLocal(program, instruction, localFlops(program, instruction, at), machine);
    case InstructionKind::fused: return priceFused(program, instruction, at, machine);
    case InstructionKind::place: return priceLocal(program, instruction, 0, machine);
    case InstructionKind::start: return priceStart(program, instruction, at, machine);
    case InstructionKind::control: return priceControl(program, machine);
    case InstructionKind::update: return priceUpdate(program, instruction, machine, meant);
    case InstructionKind::repeat: return priceRepeat(program, instruction, at, machine);
    case InstructionKind::wait:
    case InstructionKind::free: return nothing;
  }
  return nothing;
}

std::int64_t wholeFlops(const Program& program, const Instruction& instruction) {
  std::int64_t total = 0;
  if (instruction.kind == InstructionKind::compute) {
    if (instruction.expression < 0) return 0;
    std::vector<std::int64_t> extents;
    for (const Loop& loop : expressionOf(program, instruction).loops) extents.push_back(loop.extent);
    return checkedFlops(expressionOf(program, instruction), extents);
  }
  for (const Instruction& inner : instruction.body) total = checkedSum(total, wholeFlops(program, inner));
  return checkedProduct(total, instruction.kind == InstructionKind::repeat ? instruction.count : 1);
}

std::int64_t allToAllChunk(const Collective& collective, const Buffer& in, const Buffer& out) {
  std::int64_t elements = 1;
  for (std::size_t d = 0; d < in.localShape.size(); ++d) {
    const bool split = static_cast<int>(d) == collective.splitDim;
    elements = checkedProduct(elements, split ? out.localShape[d] : in.localShape[d]);
  }
  return elements;
}

}  // namespace core
