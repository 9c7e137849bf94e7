#include "core/spmd/program.h"

#include <fmt/format.h>

#include <algorithm>

namespace core {
namespace {

std::string joined(const std::vector<std::int64_t>& sizes) {
  std::string text;
  for (std::int64_t size : sizes) text += (text.empty() ? "" : "x") + std::to_string(size);
  return text.empty() ? "scalar" : text;
}

std::string names(const std::vector<BufferId>& ids) {
  std::string text;
  for (BufferId id : ids) text += fmt::format("{}%{}", text.empty() ? "" : ", ", id.value);
  return text;
}

std::string axesText(const AxisList& axes, const Mesh& mesh) {
  std::string text;
  for (AxisId axis : axes) text += (text.empty() ? "" : ",") + mesh.axes[axis].name;
  return text;
}

std::string describe(const Program& program, BufferId id) {
  const Buffer& buffer = program.buffers[id.index()];
  return fmt::format("{} {} {}", print(buffer.placement.sharding, buffer.dims, program.mesh), toString(buffer.dtype), joined(buffer.localShape));
}

std::string head(const Program& program, const Instruction& one) {
  switch (one.kind) {
    case InstructionKind::compute: return fmt::format("{} = {}({})", names(one.outputs), one.op, names(one.inputs));
    case InstructionKind::fused: return fmt::format("{} = fused({})", names(one.outputs), names(one.inputs));
    case InstructionKind::place: return fmt::format("{} = place({})", names(one.outputs), names(one.inputs));
    case InstructionKind::start: return fmt::format("{} = {} start({}) over {}", names(one.outputs), toString(one.collective.kind), names(one.inputs), axesText(one.collective.axes, program.mesh));
    case InstructionKind::wait: return fmt::format("wait {}", names(one.outputs));
    case InstructionKind::control: return fmt::format("control({}) over all ranks", names(one.inputs));
    case InstructionKind::update: return fmt::format("update {} <- {}", names(one.outputs), names(one.inputs));
    case InstructionKind::free: return fmt::format("free {}", names(one.inputs));
    case InstructionKind::repeat: return fmt::format("repeat {} times, {{}} = {}", one.count, fmt::join(one.labels, " "));
  }
  return "";
}

void printInstruction(const Program& program, const Instruction& one, const std::string& indent, std::string& text) {
  std::string line = indent + head(program, one);
  const bool speaks = one.kind != InstructionKind::free && one.kind != InstructionKind::wait;
  if (speaks && !one.outputs.empty()) line += fmt::format("   {}", describe(program, one.outputs[0]));
  if (speaks) line += fmt::format("   # {}: {}", one.name, one.reason);
  text += line + "\n";
  for (const IterationView& view : one.views) text += fmt::format("{}  %{} stands for {}\n", indent, view.slot.value, names(view.perIteration));
  for (const Instruction& inner : one.body) printInstruction(program, inner, indent + "  ", text);
}

}  // namespace

std::string_view toString(MemoryClass memoryClass) {
  switch (memoryClass) {
    case MemoryClass::parameters: return "parameters";
    case MemoryClass::gradients: return "gradients";
    case MemoryClass::optimizer: return "optimizer";
    case MemoryClass::activations: return "activations";
    case MemoryClass::communication: return "communication buffers";
    case MemoryClass::inputs: return "inputs and constants";
  }
  return "";
}

std::string_view toString(InstructionKind kind) {
  switch (kind) {
    case InstructionKind::compute: return "compute";
    case InstructionKind::fused: return "fused";
    case InstructionKind::place: return "place";
    case InstructionKind::start: return "start";
    case InstructionKind::wait: return "wait";
    case InstructionKind::control: return "control";
    case InstructionKind::update: return "update";
    case InstructionKind::free: return "free";
    case InstructionKind::repeat: return "repeat";
  }
  return "";
}

std::string_view toString(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::allReduce: return "all-reduce";
    case CollectiveKind::allGather: return "all-gather";
    case CollectiveKind::reduceScatter: return "reduce-scatter";
    case CollectiveKind::allToAll: return "all-to-all";
    case CollectiveKind::collectivePermute: return "collective-permute";
    case CollectiveKind::redistribute: return "redistribute";
    case CollectiveKind::broadcast: return "broadcast";
  }
  return "";
}

std::vector<Range> loopRanges(const Program& program, const Instruction& instruction, const Coordinate& at) {
  const Expression& expression = program.expressions[static_cast<std::size_t>(instruction.expression)];
  std::vector<Range> ranges(expression.loops.size());
  for (std::size_t l = 0; l < ranges.size(); ++l) ranges[l] = blockOf(expression.loops[l].extent, instruction.loopAxes[l], program.mesh, at);
  return ranges;
}

std::string print(const Program& program) {
  std::string text = fmt::format("mesh {}  devices {}  arena {} bytes a device\n", print(program.mesh), program.mesh.devices(), program.arenaBytes);
  for (std::size_t b = 0; b < program.buffers.size(); ++b) {
    const Buffer& buffer = program.buffers[b];
    if (buffer.persistent) text += fmt::format("%{} {} {}   # {}\n", b, toString(buffer.memoryClass), describe(program, BufferId(static_cast<std::int64_t>(b))), buffer.name);
  }
  for (const Instruction& one : program.instructions) printInstruction(program, one, "", text);
  return text;
}

}  // namespace core
