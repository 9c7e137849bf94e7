#include "executor/data/inputs.h"

#include <algorithm>
#include <map>

namespace executor {
namespace {

using core::BufferId;
using core::Expression;
using core::Instruction;
using core::InstructionKind;
using core::Node;

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

// The operand whose elements a node takes as they are, perhaps in another type; -1 for anything else.
int plainOperand(const Expression& expression, int node) {
  const Node& one = expression.nodes[static_cast<std::size_t>(node)];
  if (one.kind == Node::Kind::read) return one.operand;
  return one.kind == Node::Kind::cast ? plainOperand(expression, one.a) : -1;
}

// Follows inputs through the program as long as their numbers stay the same.
class Tracing {
 public:
  explicit Tracing(const core::Program& program) : program_(program) {
    for (BufferId id : program.inputs) from_[id] = id;
    walk(program.instructions);
  }
  std::int64_t below(BufferId input) const {
    const auto found = below_.find(input);
    return found == below_.end() ? 0 : found->second;
  }

 private:
  void walk(const std::vector<Instruction>& instructions) {
    for (const Instruction& one : instructions) {
      if (!one.body.empty()) walk(one.body);
      const bool moves = one.kind == InstructionKind::place || one.kind == InstructionKind::start;
      for (std::size_t i = 0; moves && i < one.inputs.size(); ++i) carry(one.inputs[i], one.outputs[i]);
      if (one.kind == InstructionKind::compute) compute(one);
    }
  }

  void carry(BufferId from, BufferId to) {
    if (const auto found = from_.find(from); found != from_.end()) from_[to] = found->second;
  }

  void compute(const Instruction& one) {
    const Expression& expression = program_.expressions[static_cast<std::size_t>(one.expression)];
    for (const Node& node : expression.nodes) {
      for (const core::AxisIndex& axis : node.axes)
        if (axis.kind == core::AxisIndex::Kind::lookup && axis.loop >= 0) bound(one, expression, axis.node, axis.loop);
      if (node.kind == Node::Kind::binary && node.function == core::Function::equal) {
        compared(one, expression, node.a, node.b);
        compared(one, expression, node.b, node.a);
      }
    }
    if (expression.outputs.size() != 1) return;
    const int operand = plainOperand(expression, expression.outputs[0].root);
    if (operand >= 0) carry(one.inputs[static_cast<std::size_t>(operand)], one.outputs[0]);
  }

  void compared(const Instruction& one, const Expression& expression, int data, int loop) {
    const Node& node = expression.nodes[static_cast<std::size_t>(loop)];
    if (node.kind == Node::Kind::loop) bound(one, expression, data, node.loops[0]);
  }

  void bound(const Instruction& one, const Expression& expression, int data, int loop) {
    const int operand = plainOperand(expression, data);
    if (operand < 0) return;
    const auto found = from_.find(one.inputs[static_cast<std::size_t>(operand)]);
    if (found == from_.end()) return;
    const std::int64_t extent = expression.loops[static_cast<std::size_t>(loop)].extent;
    std::int64_t& least = below_.try_emplace(found->second, extent).first->second;
    least = std::min(least, extent);
  }

  const core::Program& program_;
  std::map<BufferId, BufferId> from_;  // a buffer -> the input whose numbers it holds
  std::map<BufferId, std::int64_t> below_;
};

Role roleOf(const core::Buffer& buffer) {
  const bool real = core::isFloating(buffer.dtype);
  if (contains(buffer.name, "label") || contains(buffer.name, "target")) return real ? Role::targets : Role::labels;
  if (contains(buffer.name, "mask") || buffer.dtype == core::DType::boolean) return Role::ones;
  if (real) return Role::numbers;
  if (contains(buffer.name, "position")) return Role::positions;
  if (contains(buffer.name, "token_type") || contains(buffer.name, "segment")) return Role::zeros;
  return Role::ids;
}

}  // namespace

std::vector<Input> inputsOf(const core::Program& program) {
  const Tracing tracing(program);
  std::vector<Input> inputs;
  for (BufferId id : program.inputs) inputs.push_back({id, roleOf(program.buffers[id.index()]), tracing.below(id)});
  // Labels that nothing bounds are of the same text as the ids.
  std::int64_t ids = 0;
  for (const Input& one : inputs)
    if (one.role == Role::ids) ids = std::max(ids, one.below);
  for (Input& one : inputs)
    if (one.role == Role::labels && one.below == 0) one.below = ids;
  return inputs;
}

}  // namespace executor
