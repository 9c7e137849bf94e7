#include <algorithm>
#include <map>

#include "core/spmd/passes/passes.h"

namespace core {
namespace {

// The operands of an all-reduce that are scattered along one dimension, and those that stay as they are (-1).
using ByDim = std::map<int, std::vector<std::size_t>>;

class Splitting {
 public:
  Splitting(Program program, std::int64_t least) : program_(std::move(program)), least_(least) {}

  Program run() {
    numberPairs(program_.instructions);
    program_.instructions = split(std::move(program_.instructions), nullptr);
    return std::move(program_);
  }

 private:
  void numberPairs(const std::vector<Instruction>& instructions) {
    for (const Instruction& one : instructions) {
      nextPair_ = std::max(nextPair_, one.pair + 1);
      numberPairs(one.body);
    }
  }

  std::vector<Instruction> split(std::vector<Instruction> old, Instruction* repeat) {
    std::vector<Instruction> made;
    for (std::size_t i = 0; i < old.size(); ++i) {
      if (old[i].kind == InstructionKind::repeat) old[i].body = split(std::move(old[i].body), &old[i]);
      if (old[i].kind != InstructionKind::start || old[i].collective.kind != CollectiveKind::allReduce || old[i].collective.axes.size() < 2) {
        made.push_back(std::move(old[i]));
        continue;
      }
      reduce(old[i], repeat, made);
      ++i;  // its wait
    }
    return made;
  }

  void reduce(const Instruction& start, Instruction* repeat, std::vector<Instruction>& made) {
    if (start.collective.axes.size() < 2) return along(start, made);
    for (const auto& [dim, members] : dimsOf(start)) {
      if (dim < 0) along(of(start, members), made);
      else byAxis(of(start, members), dim, repeat, made);
    }
  }

  // What is large, and has a dimension that the fastest axis divides, so that nothing is padded.
  ByDim dimsOf(const Instruction& start) const {
    ByDim groups;
    const std::int64_t parts = program_.mesh.size(start.collective.axes.back());
    for (std::size_t k = 0; k < start.inputs.size(); ++k) {
      const Buffer& buffer = program_.buffers[start.inputs[k].index()];
      int dim = -1;
      for (std::size_t d = 0; d < buffer.localShape.size() && dim < 0; ++d)
        if (buffer.bytes >= least_ && dividesEvenly(buffer, d, parts)) dim = static_cast<int>(d);
      groups[dim].push_back(k);
    }
    return groups;
  }

  // On every device: also where the last ones have less than their block.
  bool dividesEvenly(const Buffer& buffer, std::size_t d, std::int64_t parts) const {
    return buffer.sizes[d] % (program_.mesh.size(buffer.placement.sharding.dims[d]) * parts) == 0;
  }

  static Instruction of(const Instruction& start, const std::vector<std::size_t>& members) {
    Instruction part = start;
    part.inputs.clear();
    part.outputs.clear();
    for (std::size_t k : members) {
      part.inputs.push_back(start.inputs[k]);
      part.outputs.push_back(start.outputs[k]);
    }
    return part;
  }

  void along(Instruction start, std::vector<Instruction>& made) {
    start.pair = nextPair_++;
    Instruction wait = start;
    wait.kind = InstructionKind::wait;
    wait.name += " wait";
    made.push_back(std::move(start));
    made.push_back(std::move(wait));
  }

  // Reduce-scatter along the fastest axis, the rest on what is left, back with an all-gather.
  void byAxis(const Instruction& whole, int dim, Instruction* repeat, std::vector<Instruction>& made) {
    const AxisId fastest = whole.collective.axes.back();
    AxisList rest;
    for (AxisId axis : whole.collective.axes)
      if (axis != fastest) rest.push_back(axis);
    std::vector<BufferId> scattered, summed;
    for (BufferId id : whole.inputs) {
      Sharding sharding = program_.buffers[id.index()].placement.sharding;
      sharding.partial.erase(fastest);
      sharding.dims[static_cast<std::size_t>(dim)].push_back(fastest);
      scattered.push_back(part(id, sharding, " scattered", repeat));
      for (AxisId axis : rest) sharding.partial.erase(axis);
      if (sharding.partial.empty()) sharding.reduction = Reduction::sum;
      summed.push_back(part(id, sharding, " summed", repeat));
    }
    const std::string& axis = program_.mesh.axes[fastest].name;
    along(step(whole, "reduce-scatter along " + axis, {.kind = CollectiveKind::reduceScatter, .axes = {fastest}, .reduction = whole.collective.reduction, .splitDim = dim}, whole.inputs, scattered), made);
    reduce(step(whole, "", {.kind = CollectiveKind::allReduce, .axes = rest, .reduction = whole.collective.reduction}, scattered, summed), repeat, made);
    along(step(whole, "all-gather along " + axis, {.kind = CollectiveKind::allGather, .axes = {fastest}, .concatDim = dim}, summed, whole.outputs), made);
  }

  static Instruction step(const Instruction& whole, const std::string& what, const Collective& collective, std::vector<BufferId> inputs, std::vector<BufferId> outputs) {
    Instruction made{.kind = InstructionKind::start, .name = what.empty() ? whole.name : what + " for " + whole.name, .origin = whole.origin, .reason = whole.reason + "; one axis after the other, the fastest link first"};
    made.inputs = std::move(inputs);
    made.outputs = std::move(outputs);
    made.collective = collective;
    return made;
  }

  // A buffer like `model` with another sharding; in a repeat one for each iteration, and what stands for them.
  BufferId part(BufferId model, const Sharding& sharding, const std::string& what, Instruction* repeat) {
    const IterationView* view = nullptr;
    if (repeat)
      for (const IterationView& one : repeat->views)
        if (one.slot == model) view = &one;
    if (!view) return addPart(model, sharding, what);
    IterationView made;
    for (BufferId id : view->perIteration) made.perIteration.push_back(addPart(id, sharding, what));
    made.slot = addPart(model, sharding, what);
    repeat->views.push_back(made);
    return made.slot;
  }

  BufferId addPart(BufferId model, const Sharding& sharding, const std::string& what) {
    Buffer made = program_.buffers[model.index()];
    made.name += what;
    made.placement = {sharding, {}};
    made.localShape = localShape(made.placement, made.sizes, program_.mesh);
    made.bytes = byteSize(made.dtype);
    for (std::int64_t size : made.localShape) made.bytes *= size;
    made.memoryClass = MemoryClass::communication;
    made.alias = {};
    made.persistent = false;
    program_.buffers.push_back(std::move(made));
    program_.sources.emplace_back();
    return BufferId(static_cast<std::int64_t>(program_.buffers.size()) - 1);
  }

  Program program_;
  std::int64_t least_;
  int nextPair_ = 0;
};

}  // namespace

Program reduceByAxis(Program program, std::int64_t least) { return Splitting(std::move(program), least).run(); }

}  // namespace core
