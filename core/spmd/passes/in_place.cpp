#include <algorithm>
#include <map>
#include <tuple>

#include "core/spmd/passes/passes.h"
#include "core/spmd/walk.h"

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

// What makes a state's new value, in the iteration in which it does.
struct Maker {
  const Instruction* instruction = nullptr;
  std::vector<BufferId> inputs;  // as they are meant there
  BufferId value;                // as the instruction names it
};

class Reusing {
 public:
  explicit Reusing(Program program) : program_(std::move(program)), lastRead_(program_.buffers.size(), -1), madeBy_(program_.buffers.size(), -1), makerOf_(program_.buffers.size(), -1) {}

  Program run() {
    survey();
    std::int64_t at = -1;
    walk(program_, [&](const Instruction& one, std::int64_t, const Views& meant) {
      ++at;
      if (one.kind == InstructionKind::start && one.collective.kind == CollectiveKind::allReduce) {
        for (std::size_t k = 0; k < one.inputs.size(); ++k) {
          const BufferId operand = meant(one.inputs[k]);
          if (!program_.buffers[operand.index()].persistent && lastRead_[operand.index()] <= at + 1) program_.buffers[meant(one.outputs[k]).index()].alias = operand;
        }
      }
      if (one.kind == InstructionKind::update) takeOver(meant(one.outputs[0]), meant(one.inputs[0]), at);
    });
    return std::move(program_);
  }

 private:
  void survey() {
    std::vector<bool> renews(program_.buffers.size(), false);  // new values of states
    walk(program_, [&](const Instruction& one, std::int64_t, const Views& meant) {
      if (one.kind == InstructionKind::update) renews[meant(one.inputs[0]).index()] = true;
    });
    std::int64_t at = -1;
    walk(program_, [&](const Instruction& one, std::int64_t, const Views& meant) {
      ++at;
      for (BufferId input : one.inputs) lastRead_[meant(input).index()] = at;
      if (one.kind == InstructionKind::update || one.kind == InstructionKind::wait) return;
      for (BufferId output : one.outputs) {
        madeBy_[meant(output).index()] = at;
        if (!renews[meant(output).index()]) continue;
        makerOf_[meant(output).index()] = static_cast<int>(makers_.size());
        Maker& maker = makers_.emplace_back(Maker{&one, {}, output});
        maker.inputs.reserve(one.inputs.size());
        for (BufferId input : one.inputs) maker.inputs.push_back(meant(input));
      }
    });
    for (BufferId output : program_.outputs) lastRead_[output.index()] = at + 1;
  }

  // The update of a state at the instruction so numbered: may its new value be written where the old one lies?
  void takeOver(BufferId state, BufferId value, std::int64_t at) {
    Buffer& made = program_.buffers[value.index()];
    const int found = makerOf_[value.index()];
    if (made.alias.valid() || made.persistent || found < 0 || lastRead_[state.index()] > madeBy_[value.index()]) return;
    const Buffer& old = program_.buffers[state.index()];
    if (!(made.placement == old.placement) || made.dtype != old.dtype || lastRead_[value.index()] > at) return;
    const Maker& maker = makers_[static_cast<std::size_t>(found)];
    const auto read = std::find(maker.inputs.begin(), maker.inputs.end(), state);
    const BufferId named = read == maker.inputs.end() ? BufferId() : maker.instruction->inputs[static_cast<std::size_t>(read - maker.inputs.begin())];
    if (element(*maker.instruction, named, maker.value)) made.alias = state;
  }

  bool element(const Instruction& one, BufferId operand, BufferId value) {
    const auto [known, isNew] = known_.try_emplace({&one, operand, value});
    if (isNew) known->second = elementByElement(program_, one, operand, value);
    return known->second;
  }

  Program program_;
  std::vector<std::int64_t> lastRead_, madeBy_;                     // per buffer: the instruction's number as they are carried out
  std::vector<Maker> makers_;       // of states' new values
  std::vector<int> makerOf_;        // per buffer: into makers_; -1 for none
  std::map<std::tuple<const Instruction*, BufferId, BufferId>, bool> known_;
};

}  // namespace

Program reuseInPlace(Program program) { return Reusing(std::move(program)).run(); }

}  // namespace core
