#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/spmd/program.h"
#include "core/spmd/reshard.h"
#include "core/spmd/walk.h"
#include "core/tdl/access.h"

namespace core {
namespace {

class Verifier {
 public:
  explicit Verifier(const Program& program) : program_(program) {}

  std::vector<Diagnostic> run() {
    if (program_.sources.size() != program_.buffers.size()) report("has a source for each buffer no more", "sources", "one entry a buffer");
    for (std::size_t b = 0; b < program_.buffers.size(); ++b) checkBuffer(program_.buffers[b], static_cast<int>(b));
    if (!found_.empty()) return std::move(found_);
    for (std::size_t b = 0; b < program_.buffers.size(); ++b) checkAlias(static_cast<int>(b));
    for (const Instruction& one : program_.instructions) checkInstruction(one);
    if (found_.empty()) checkLifetimes();
    return std::move(found_);
  }

 private:
  void report(std::string what, std::string where, std::string right) { found_.push_back({std::move(what), std::move(where), std::move(right)}); }

  bool legalAxes(const Sharding& sharding) const {
    AxisSet used = sharding.partial;
    if (sharding.partial.bits >> program_.mesh.axes.size()) return false;
    for (const AxisList& axes : sharding.dims)
      for (AxisId axis : axes) {
        if (axis >= program_.mesh.axes.size() || used.contains(axis)) return false;
        used.insert(axis);
      }
    return true;
  }

  void checkBuffer(const Buffer& buffer, int number) {
    const std::string where = fmt::format("buffer %{} {}", number, buffer.name);
    if (buffer.dims.size() != buffer.sizes.size() || buffer.placement.sharding.dims.size() != buffer.sizes.size()) return report("its names, sizes and sharding differ in length", where, "one of each a dimension");
    if (!buffer.placement.windows.empty() && buffer.placement.windows.size() != buffer.sizes.size()) return report("its windows and sizes differ in length", where, "one of each a dimension, or no windows");
    if (!legalAxes(buffer.placement.sharding)) return report("its sharding uses an axis twice or one that the mesh lacks", where, "each axis of " + print(program_.mesh) + " at most once");
    for (std::int64_t size : buffer.sizes)
      if (size < 1) return report(fmt::format("a size is {}", size), where, "at least 1");
    const std::vector<std::int64_t> local = localShape(buffer.placement, buffer.sizes, program_.mesh);
    std::int64_t bytes = byteSize(buffer.dtype);
    for (std::int64_t size : local)
      if (__builtin_mul_overflow(bytes, size, &bytes)) return report("its size overflows 64 bits", where, "smaller dimensions, or more devices");
    if (local != buffer.localShape) return report(fmt::format("its local shape is given as {}", fmt::join(buffer.localShape, "x")), where, fmt::format("{} by its global shape and sharding", fmt::join(local, "x")));
    if (bytes != buffer.bytes) return report(fmt::format("its size is given as {} bytes", buffer.bytes), where, fmt::format("{} by its local shape", bytes));
    if (buffer.offset >= 0 && (buffer.offset > program_.arenaBytes || bytes > program_.arenaBytes - buffer.offset)) report("it lies outside the arena", where, fmt::format("offset and bytes within {}", program_.arenaBytes));
  }

  void checkAlias(int number) {
    const Buffer& buffer = program_.buffers[static_cast<std::size_t>(number)];
    if (!buffer.alias.valid()) return;
    const std::string where = fmt::format("buffer %{} {}", number, buffer.name);
    if (!known(buffer.alias)) return report("it lies in a buffer that does not exist", where, "an earlier buffer");
    const Buffer& other = program_.buffers[buffer.alias.index()];
    if (other.offset != buffer.offset || other.bytes != buffer.bytes) report(fmt::format("it does not lie where %{} lies", buffer.alias.value), where, "equal offset and bytes");
  }

  bool known(BufferId id) const { return id.valid() && id.index() < program_.buffers.size(); }

  void checkInstruction(const Instruction& one) {
    const std::string where = one.name;
    for (BufferId id : one.inputs)
      if (!known(id)) return report(fmt::format("reads %{}, which does not exist", id.value), where, "a buffer of the program");
    for (BufferId id : one.outputs)
      if (!known(id)) return report(fmt::format("writes %{}, which does not exist", id.value), where, "a buffer of the program");
    switch (one.kind) {
      case InstructionKind::compute: return checkCompute(one);
      case InstructionKind::start: return checkCollective(one);
      case InstructionKind::update:
        if (one.inputs.size() != 1 || one.outputs.size() != 1) return report("an update takes one value to one state", where, "one input, one output");
        if (!(buffer(one.inputs[0]).placement == buffer(one.outputs[0]).placement)) report("the value and the state are split differently", where, "a value resharded to the state's placement");
        return;
      case InstructionKind::repeat:
        checkViews(one);
        [[fallthrough]];
      case InstructionKind::fused:
        for (const Instruction& inner : one.body) checkInstruction(inner);
        return;
      default: return;
    }
  }

  // What stands for a buffer has its shape and its sharding; and each iteration has one, but where it is only freed.
  void checkViews(const Instruction& repeat) {
    std::set<BufferId> used;
    for (const Instruction& one : repeat.body) {
      if (one.kind == InstructionKind::repeat) return report("holds another repeat", repeat.name, "repeats one level deep");
      if (one.kind != InstructionKind::free) used.insert(one.inputs.begin(), one.inputs.end());
      used.insert(one.outputs.begin(), one.outputs.end());
    }
    if (repeat.count < 1) return report(fmt::format("runs {} times", repeat.count), repeat.name, "at least once");
    for (const IterationView& view : repeat.views) {
      if (!known(view.slot)) return report(fmt::format("views %{}, which does not exist", view.slot.value), repeat.name, "a buffer of the program");
      if (static_cast<std::int64_t>(view.perIteration.size()) != repeat.count) return report(fmt::format("%{} stands for {} buffers", view.slot.value, view.perIteration.size()), repeat.name, fmt::format("one in each of {} iterations", repeat.count));
      const Buffer& slot = buffer(view.slot);
      for (BufferId id : view.perIteration) {
        if (!used.count(view.slot) && (!id.valid() || known(id))) continue;
        if (!known(id)) return report(fmt::format("%{} stands for %{}, which does not exist", view.slot.value, id.value), repeat.name, "a buffer of the program");
        const Buffer& one = buffer(id);
        if (slot.sizes != one.sizes || !(slot.placement == one.placement) || slot.dtype != one.dtype) report(fmt::format("%{} {} stands for %{} {} of another shape or sharding", view.slot.value, slot.name, id.value, one.name), repeat.name, "the same in all iterations");
      }
    }
  }

  const Buffer& buffer(BufferId id) const { return program_.buffers[id.index()]; }

  void checkCompute(const Instruction& one) {
    if (one.expression < 0 || static_cast<std::size_t>(one.expression) >= program_.expressions.size()) return report("names no expression", one.name, "a number below " + std::to_string(program_.expressions.size()));
    const Expression& expression = program_.expressions[static_cast<std::size_t>(one.expression)];
    if (one.loopAxes.size() != expression.loops.size()) return report("splits another number of loops than its expression has", one.name, std::to_string(expression.loops.size()));
    if (one.inputs.size() != expression.operands.size() || one.outputs.size() != expression.outputs.size()) return report("has other operands than its expression", one.name, fmt::format("{} inputs, {} outputs", expression.operands.size(), expression.outputs.size()));
    AxisSet passed;
    for (std::size_t i = 0; i < one.inputs.size(); ++i) {
      const Buffer& operand = buffer(one.inputs[i]);
      Placement need = requiredOperand(expression, static_cast<int>(i), operand.sizes, one.loopAxes, program_.mesh);
      need.sharding.partial = operand.placement.sharding.partial;
      need.sharding.reduction = operand.placement.sharding.reduction;
      passed.bits |= operand.placement.sharding.partial.bits;
      if (!covers(operand.placement, need)) report(fmt::format("operand %{} {} does not hold what its loops read", one.inputs[i].value, operand.name), one.name, print(need.sharding, operand.dims, program_.mesh));
    }
    for (std::size_t o = 0; o < one.outputs.size(); ++o) {
      const Buffer& output = buffer(one.outputs[o]);
      Sharding made = producedOutput(expression, static_cast<int>(o), one.loopAxes);
      made.partial.bits |= passed.bits;
      for (std::size_t d = 0; d < output.sizes.size() && d < expression.outputs[o].loops.size(); ++d)
        if (expression.loops[static_cast<std::size_t>(expression.outputs[o].loops[d])].extent != output.sizes[d]) report(fmt::format("dimension {} of its result has size {}", output.dims[d], output.sizes[d]), one.name, fmt::format("{} by its expression", expression.loops[static_cast<std::size_t>(expression.outputs[o].loops[d])].extent));
      if (!(Placement{made, {}} == output.placement)) report(fmt::format("its result %{} is given as {}", one.outputs[o].value, print(output.placement.sharding, output.dims, program_.mesh)), one.name, print(made, output.dims, program_.mesh));
    }
  }

  void checkCollective(const Instruction& one) {
    if (one.inputs.empty() || one.inputs.size() != one.outputs.size()) return report("a collective has as many results as operands", one.name, "at least one pair");
    for (std::size_t i = 0; i < one.inputs.size(); ++i) {
      const Buffer &from = buffer(one.inputs[i]), &to = buffer(one.outputs[i]);
      if (from.dtype != to.dtype) report("a collective keeps the element type", one.name, std::string(toString(from.dtype)));
      const bool reshapes = one.collective.kind == CollectiveKind::redistribute;
      if (from.sizes != to.sizes && !reshapes) report("a collective keeps the global shape", one.name, fmt::format("{}", fmt::join(from.sizes, "x")));
      if (!reshapes && from.sizes == to.sizes && !leadsTo(one.collective, from.placement, to.placement)) report(fmt::format("{} does not turn {} into {}", toString(one.collective.kind), print(from.placement.sharding, from.dims, program_.mesh), print(to.placement.sharding, to.dims, program_.mesh)), one.name, "a result that follows from the operand");
    }
  }

  bool leadsTo(const Collective& collective, const Placement& from, const Placement& to) const {
    Sharding next = from.sharding;
    const auto popped = [&](int d) {
      if (d < 0 || static_cast<std::size_t>(d) >= next.dims.size() || next.dims[static_cast<std::size_t>(d)].empty() || next.dims[static_cast<std::size_t>(d)].back() != collective.axes[0]) return false;
      next.dims[static_cast<std::size_t>(d)].pop_back();
      return true;
    };
    const auto pushed = [&](int d) {
      if (d < 0 || static_cast<std::size_t>(d) >= next.dims.size()) return false;
      next.dims[static_cast<std::size_t>(d)].push_back(collective.axes[0]);
      return true;
    };
    if (collective.axes.empty() || !from.plain()) return false;
    switch (collective.kind) {
      case CollectiveKind::allReduce:
        for (AxisId axis : collective.axes) {
          if (!next.partial.contains(axis)) return false;
          next.partial.erase(axis);
        }
        break;
      case CollectiveKind::reduceScatter:
        if (!next.partial.contains(collective.axes[0]) || !pushed(collective.splitDim)) return false;
        next.partial.erase(collective.axes[0]);
        break;
      case CollectiveKind::allGather:
        if (!popped(collective.concatDim)) return false;
        break;
      case CollectiveKind::allToAll:
        if (!popped(collective.concatDim) || !pushed(collective.splitDim)) return false;
        break;
      default: return from.sharding.partial == to.sharding.partial;
    }
    if (next.partial.empty()) next.reduction = Reduction::sum;
    return Placement{next, {}} == to;
  }

  // --- no two living buffers share bytes, and what is read has been written ---

  BufferId root(BufferId id) const {
    while (buffer(id).alias.valid()) id = buffer(id).alias;
    return id;
  }

  void checkLifetimes() {
    for (std::size_t b = 0; b < program_.buffers.size(); ++b)
      if (program_.buffers[b].persistent) live(BufferId(static_cast<std::int64_t>(b)), "the start");
    walk(program_, [&](const Instruction& one, std::int64_t, const Views& meant) {
      if (one.kind == InstructionKind::free) {
        for (BufferId id : one.inputs)
          if (meant(id).valid()) end(root(meant(id)), one.name);
        return;
      }
      for (BufferId named : one.inputs) {
        const BufferId id = meant(named);
        if (!alive_.count(root(id))) report(fmt::format("reads %{} {}, which is not written yet or already freed", id.value, buffer(id).name), one.name, "a living buffer");
      }
      for (BufferId id : one.outputs) live(root(meant(id)), one.name);
    });
  }

  void live(BufferId id, const std::string& where) {
    if (!alive_.insert({id, true}).second) return;
    const Buffer& one = buffer(id);
    if (one.offset < 0) return report(fmt::format("%{} {} has no place in the arena", id.value, one.name), where, "an offset");
    if (one.bytes == 0) return;
    const auto next = places_.lower_bound(one.offset);
    if (next != places_.end() && next->first < one.offset + one.bytes) report(fmt::format("%{} {} overlaps %{}", id.value, one.name, next->second.value), where, "places apart while both live");
    if (next != places_.begin()) {
      const auto before = std::prev(next);
      if (before->first + buffer(before->second).bytes > one.offset) report(fmt::format("%{} {} overlaps %{}", id.value, one.name, before->second.value), where, "places apart while both live");
    }
    places_[one.offset] = id;
  }

  void end(BufferId id, const std::string& where) {
    if (!alive_.erase(id)) return report(fmt::format("frees %{}, which does not live", id.value), where, "one free a buffer");
    places_.erase(buffer(id).offset);
  }

  const Program& program_;
  std::vector<Diagnostic> found_;
  std::map<BufferId, bool> alive_;
  std::map<std::int64_t, BufferId> places_;
};

}  // namespace

std::vector<Diagnostic> verify(const Program& program) { return Verifier(program).run(); }

}  // namespace core
