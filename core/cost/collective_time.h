#pragma once

#include <cstdint>
#include <optional>

#include "core/mesh/machine.h"
#include "core/mesh/mesh.h"
#include "core/spmd/program.h"

// What a collective takes, by the α–β model: a latency a message, and bytes over bandwidth.
//
// Ranks fill a machine's levels in order, and a group uses the outermost level that it crosses:
//
//   8 devices on NVLink, hosts on InfiniBand, mesh data:4,model:8
//   a group along model: ranks 0..7, NVLink          a group along data: ranks 0, 8, 16, 24, InfiniBand
//
// What a device sends a message over and how many messages follow one another:
//   switch  every pair has its own way; a reduction or gather takes log2(n) messages
//   ring    a group whose neighbours stand d devices apart shares each link with d - 1 others; n - 1 messages;
//           both directions carry when the group closes the ring
//   torus   every mesh axis has a ring of its own; n - 1 messages, both directions
// Modelled, like seconds everywhere: payload is counted exactly in price.h.

namespace core {

// What the groups along one axis have: bytes per second out of one device, seconds a message.
struct AxisLink {
  double bandwidth = 0;
  double latency = 0;
  Topology topology = Topology::fullyConnected;
  bool operator==(const AxisLink&) const = default;
};
AxisLink linkOf(AxisId axis, const Mesh& mesh, const Machine& machine);

// Of all these axes the one with least bandwidth; the axes must not be empty.
AxisLink slowestLink(const AxisList& axes, const Mesh& mesh, const Machine& machine);

// One call. `bytes` is what the formulas of the field call B, by kind:
//   all-reduce, permute, broadcast: the buffer   all-gather: one device's part   reduce-scatter: one device's result
//   all-to-all: the chunk for one peer           redistribute: what goes to other devices, or comes, whichever is more
struct Message {
  CollectiveKind kind = CollectiveKind::allReduce;
  AxisList axes;
  std::int64_t bytes = 0;
  std::int64_t elementBytes = 1;  // chunks hold whole elements
};

// What a device sends in the usual algorithm, in chunks of ceil(elements/n). Along several axes hierarchically: a reduction
// scatters along the first, then along the next what is left, and gathers back.
std::int64_t wireBytes(const Message& message, const Mesh& mesh);

// The axes of a reduction in the order of their phases: fastest link first, for the first phase carries most.
AxisList fastestFirst(const AxisList& axes, const Mesh& mesh, const Machine& machine);

double collectiveSeconds(const Message& message, const Mesh& mesh, const Machine& machine);

}  // namespace core
