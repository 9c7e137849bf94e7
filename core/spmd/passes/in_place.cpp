#include <algorithm>
#include <map>

#include "core/spmd/passes/passes.h"

namespace core {
namespace {

bool reads(const Instruction& instruction, BufferId operand) {
  return std::find(instruction.inputs.begin(), instruction.inputs.end(), operand) != instruction.inputs.end();
}

// Does the value of a node depend on that operand?
bool readsOperand(const Expression& expression, int at, const Instruction& instruction, BufferId operand) {
  if (at < 0) return false;
  const Node& node = expression.nodes[static_cast<std::size_t>(at)];
  if (node.kind == Node::Kind::read && instruction.inputs[static_cast<std::size_t>(node.operand)] == operand) return true;
  for (int child : {node.a, node.b, node.c, node.otherwise})
    if (readsOperand(expression, child, instruction, operand)) return true;
  return false;
}

// Every read of `operand` is of the very element of `value` that is written, and none comes after it is written.
bool elementByElement(const Program& program, const Instruction& instruction, BufferId operand, BufferId value) {
  if (instruction.kind == InstructionKind::fused) {
    bool written = false;
    for (const Instruction& one : instruction.body) {
      if (reads(one, operand) && (written || !elementByElement(program, one, operand, value))) return false;
      written |= one.outputs[0] == value;
    }
    return true;
  }
  if (instruction.kind != InstructionKind::compute) return false;
  const Expression& expression = program.expressions[static_cast<std::size_t>(instruction.expression)];
  const auto made = std::find(instruction.outputs.begin(), instruction.outputs.end(), value) - instruction.outputs.begin();
  for (std::size_t later = static_cast<std::size_t>(made) + 1; later < expression.outputs.size(); ++later)
    if (readsOperand(expression, expression.outputs[later].root, instruction, operand)) return false;
  for (const Node& node : expression.nodes) {
    if (node.kind == Node::Kind::reduce) return false;
    if (node.kind != Node::Kind::read || instruction.inputs[static_cast<std::size_t>(node.operand)] != operand) continue;
    if (node.otherwise >= 0 || node.axes.size() != expression.outputs[0].loops.size()) return false;
    for (std::size_t d = 0; d < node.axes.size(); ++d)
      if (!node.axes[d].identity() || node.axes[d].terms[0].loop != expression.outputs[0].loops[d]) return false;
  }
  return true;
}

}  // namespace

Program reuseInPlace(Program program) {
  std::map<BufferId, std::size_t> lastRead, madeBy;
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    for (BufferId input : program.instructions[i].inputs) lastRead[input] = i;
    if (program.instructions[i].kind != InstructionKind::update && program.instructions[i].kind != InstructionKind::wait)
      for (BufferId output : program.instructions[i].outputs) madeBy[output] = i;
  }
  for (BufferId output : program.outputs) lastRead[output] = program.instructions.size();
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    const Instruction& instruction = program.instructions[i];
    if (instruction.kind == InstructionKind::start && instruction.collective.kind == CollectiveKind::allReduce) {
      for (std::size_t k = 0; k < instruction.inputs.size(); ++k) {
        const Buffer& operand = program.buffers[instruction.inputs[k].index()];
        if (!operand.persistent && lastRead[instruction.inputs[k]] <= i + 1) program.buffers[instruction.outputs[k].index()].alias = instruction.inputs[k];
      }
    }
    if (instruction.kind == InstructionKind::update) {
      const BufferId state = instruction.outputs[0], value = instruction.inputs[0];
      Buffer& made = program.buffers[value.index()];
      const auto maker = madeBy.find(value);
      if (made.alias.valid() || made.persistent || maker == madeBy.end()) continue;
      const auto lastOld = lastRead.find(state);
      if (lastOld != lastRead.end() && lastOld->second > maker->second) continue;
      if (!(made.placement == program.buffers[state.index()].placement) || made.dtype != program.buffers[state.index()].dtype) continue;
      if (lastRead[value] > i || !elementByElement(program, program.instructions[maker->second], state, value)) continue;
      made.alias = state;
    }
  }
  return program;
}

}  // namespace core
