#include "core/cost/price_collective.h"

#include <algorithm>
#include <cassert>

#include "core/base/checked.h"
#include "core/cost/collective_time.h"
#include "core/cost/price.h"
#include "core/spmd/index_sets.h"

namespace core {
namespace {

struct Payload {
  std::int64_t in = 0;
  std::int64_t out = 0;
  std::int64_t message = 0;  // Message::bytes
};

Payload payloadOf(const Program& program, const Collective& collective, const Buffer& in, const Buffer& out, const Coordinate& at) {
  const std::int64_t n = program.mesh.size(collective.axes);
  switch (collective.kind) {
    case CollectiveKind::allReduce:
    case CollectiveKind::broadcast:
    case CollectiveKind::collectivePermute: return {in.bytes, out.bytes, in.bytes};
    case CollectiveKind::allGather: return {in.bytes, checkedProduct(n, in.bytes), in.bytes};
    case CollectiveKind::reduceScatter: return {checkedProduct(n, out.bytes), out.bytes, out.bytes};
    case CollectiveKind::allToAll: {
      const std::int64_t chunk = checkedProduct(allToAllChunk(collective, in, out), byteSize(in.dtype));
      return {checkedProduct(n, chunk), checkedProduct(n, chunk), chunk};
    }
    case CollectiveKind::redistribute: {
      const Moved moved = Moves(in.placement, in.sizes, out.placement, out.sizes, program.mesh).at(at);
      const std::int64_t sent = checkedProduct(moved.sent, byteSize(in.dtype)), received = checkedProduct(moved.received, byteSize(in.dtype));
      return {sent, received, std::max(sent, received)};
    }
  }
  return {};
}

// A redistribute names no group: what it moves goes along the axes that split its input or output.
AxisList axesOf(const Collective& collective, const Buffer& in, const Buffer& out) {
  if (!collective.axes.empty()) return collective.axes;
  const AxisSet used{in.placement.sharding.used().bits | out.placement.sharding.used().bits};
  AxisList axes;
  for (AxisId axis = 0; axis < AxisList::capacity; ++axis)
    if (used.contains(axis)) axes.push_back(axis);
  return axes;
}

AxisList allAxes(const Mesh& mesh) {
  AxisList axes;
  for (AxisId axis = 0; axis < mesh.axes.size(); ++axis) axes.push_back(axis);
  return axes;
}

}  // namespace

InstructionCost priceStart(const Program& program, const Instruction& instruction, const Coordinate& at, const Machine* machine) {
  assert(instruction.inputs.size() == instruction.outputs.size() && !instruction.inputs.empty() && "a collective pairs inputs with outputs");
  InstructionCost cost;
  Message message{.kind = instruction.collective.kind};
  for (std::size_t i = 0; i < instruction.inputs.size(); ++i) {
    const Buffer& in = program.buffers[instruction.inputs[i].index()];
    const Buffer& out = program.buffers[instruction.outputs[i].index()];
    const Payload payload = payloadOf(program, instruction.collective, in, out, at);
    cost.bytesIn = checkedSum(cost.bytesIn, payload.in);
    cost.bytesOut = checkedSum(cost.bytesOut, payload.out);
    message.bytes = checkedSum(message.bytes, payload.message);
    message.elementBytes = byteSize(in.dtype);
    if (i == 0) message.axes = axesOf(instruction.collective, in, out);
  }
  cost.wireBytes = message.kind == CollectiveKind::redistribute ? cost.bytesIn : wireBytes(message, program.mesh);
  if (machine) cost.seconds = machine->launch.value + collectiveSeconds(message, program.mesh, *machine);
  return cost;
}

InstructionCost priceControl(const Program& program, const Machine* machine) {
  const Message message{.kind = CollectiveKind::allReduce, .axes = allAxes(program.mesh), .bytes = controlBytes, .elementBytes = 4};
  InstructionCost cost{.bytesIn = controlBytes, .bytesOut = controlBytes, .wireBytes = wireBytes(message, program.mesh)};
  if (machine) cost.seconds = machine->launch.value + collectiveSeconds(message, program.mesh, *machine);
  return cost;
}

}  // namespace core
