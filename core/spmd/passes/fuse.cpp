#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/spmd/passes/passes.h"
#include "core/spmd/walk.h"

namespace core {
namespace {

// One loop of an iteration space: equal loops of two operators run over the same dimension in the same blocks.
struct SpaceLoop {
  DimId dim;
  std::int64_t extent = 0;
  AxisList axes;
  auto operator<=>(const SpaceLoop&) const = default;
};

struct Space {
  std::set<SpaceLoop> loops;    // of the output, and reduced
  std::set<SpaceLoop> reduced;
};

bool readsPlainly(const Node& node) {
  return node.otherwise < 0 && std::all_of(node.axes.begin(), node.axes.end(), [](const AxisIndex& axis) { return axis.identity(); });
}

bool oneSpace(const Expression& expression) {
  return std::all_of(expression.outputs.begin(), expression.outputs.end(), [&](const ExpressionOutput& output) { return output.loops == expression.outputs[0].loops; });
}

// The space of an operator that goes element by element, or reduces whole rows; none for any other.
std::optional<Space> spaceOf(const Program& program, const Instruction& instruction) {
  if (instruction.kind != InstructionKind::compute) return std::nullopt;
  const Expression& expression = program.expressions[static_cast<std::size_t>(instruction.expression)];
  if (expression.outputs.empty() || expression.loops.empty() || !oneSpace(expression)) return std::nullopt;
  std::size_t reads = 0, products = 0, reductions = 0;
  for (std::size_t n = 0; n < expression.nodes.size(); ++n) {
    const Node& node = expression.nodes[n];
    if (node.kind == Node::Kind::read && !readsPlainly(node)) return std::nullopt;
    reductions += node.kind == Node::Kind::reduce;
    reads += node.kind == Node::Kind::read;
    products += node.kind == Node::Kind::binary && node.function == Function::multiply && reductions == 0;
  }
  if (reads == 0) return std::nullopt;
  Space space;
  for (std::size_t l = 0; l < expression.loops.size(); ++l) {
    const Loop& loop = expression.loops[l];
    if (!loop.dim.valid() || loop.kind == Loop::Kind::lookup) return std::nullopt;
    const SpaceLoop one{loop.dim, loop.extent, instruction.loopAxes[l]};
    space.loops.insert(one);
    if (loop.kind == Loop::Kind::reduced) space.reduced.insert(one);
  }
  if (!space.reduced.empty()) {
    // A contraction belongs to the product kernels; a row is what lies innermost in the operand.
    if (reads > 1 || products > 0 || reductions > 1 || expression.outputs.size() > 1) return std::nullopt;
    const Buffer& operand = program.buffers[instruction.inputs[0].index()];
    const std::size_t rank = operand.dims.size(), rows = space.reduced.size();
    const auto read = std::find_if(expression.nodes.begin(), expression.nodes.end(), [](const Node& node) { return node.kind == Node::Kind::read; });
    for (std::size_t d = 0; d < rank; ++d) {
      const Loop& loop = expression.loops[static_cast<std::size_t>(read->axes[d].terms[0].loop)];
      if ((loop.kind == Loop::Kind::reduced) != (d >= rank - rows)) return std::nullopt;
    }
  }
  return space;
}

class Fusing {
 public:
  explicit Fusing(Program program) : program_(std::move(program)) {}

  Program run() {
    countReads();
    std::vector<Instruction> old = std::move(program_.instructions);
    program_.instructions = fusedIn(std::move(old));
    return std::move(program_);
  }

 private:
  std::vector<Instruction> fusedIn(std::vector<Instruction> old) {
    made_.clear();
    for (Instruction& instruction : old) {
      const auto space = spaceOf(program_, instruction);
      if (!space || !joins(*space)) close();
      if (space) {
        if (group_.empty()) whole_ = space->loops;
        if (!space->reduced.empty()) reduced_ = space->reduced;
        group_.push_back(std::move(instruction));
      } else if (instruction.kind == InstructionKind::repeat) {
        std::vector<Instruction> before = std::move(made_);
        instruction.body = fusedIn(std::move(instruction.body));
        made_ = std::move(before);
        made_.push_back(std::move(instruction));
      } else {
        made_.push_back(std::move(instruction));
      }
    }
    close();
    return std::move(made_);
  }

  // What stands for one buffer in each iteration is read as often as the one that is read most.
  void countReads() {
    reads_.assign(program_.buffers.size(), 0);
    walk(program_, [&](const Instruction& one, std::int64_t, const Views& meant) {
      for (BufferId input : one.inputs) ++reads_[meant(input).index()];
    });
    for (BufferId output : program_.outputs) ++reads_[output.index()];
    if (program_.loss.valid()) ++reads_[program_.loss.index()];
    for (const Instruction& one : program_.instructions)
      for (const IterationView& view : one.views)
        for (BufferId id : view.perIteration) reads_[view.slot.index()] = std::max(reads_[view.slot.index()], reads_[id.index()]);
  }

  // The whole space; or, beside row reductions, one value a row.
  bool joins(const Space& space) const {
    if (group_.empty()) return true;
    if (!space.reduced.empty() && !reduced_.empty() && space.reduced != reduced_) return false;
    if (space.loops == whole_) return space.reduced.empty() || reduced_.empty() || space.reduced == reduced_;
    if (reduced_.empty() || !space.reduced.empty()) return false;
    std::set<SpaceLoop> rows = whole_;
    for (const SpaceLoop& loop : reduced_) rows.erase(loop);
    return space.loops == rows;
  }

  void close() {
    if (group_.size() == 1) made_.push_back(std::move(group_[0]));
    if (group_.size() > 1) made_.push_back(fused());
    group_.clear();
    whole_.clear();
    reduced_.clear();
  }

  Instruction fused() {
    Instruction result{.kind = InstructionKind::fused, .name = group_.front().name + " .. " + group_.back().name, .op = "fused", .origin = group_.front().origin, .reason = std::to_string(group_.size()) + " operators over one iteration space"};
    std::set<BufferId> made, seen;
    std::map<BufferId, int> inside;
    for (const Instruction& one : group_) {
      for (BufferId input : one.inputs) {
        ++inside[input];
        if (!made.count(input) && seen.insert(input).second) result.inputs.push_back(input);
      }
      for (BufferId output : one.outputs) made.insert(output);
    }
    for (const Instruction& one : group_)
      for (BufferId output : one.outputs)
        if (reads_[output.index()] > inside[output] || reads_[output.index()] == 0) result.outputs.push_back(output);
    result.body = std::move(group_);
    return result;
  }

  Program program_;
  std::vector<int> reads_;
  std::vector<Instruction> made_, group_;
  std::set<SpaceLoop> whole_, reduced_;
};

}  // namespace

Program fuse(Program program) { return Fusing(std::move(program)).run(); }

}  // namespace core
