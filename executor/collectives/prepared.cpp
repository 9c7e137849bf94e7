#include "executor/collectives/prepared.h"

#include <algorithm>
#include <cassert>

#include "core/spmd/redistribute.h"
#include "executor/collectives/plan_exchange.h"
#include "executor/collectives/reduce.h"

namespace executor {
namespace {

using core::Buffer;
using core::CollectiveKind;
using core::Mesh;

// The pair as one rank of the group sees it.
struct Sides {
  const Buffer& from;
  const Buffer& to;
  const Mesh& mesh;
  std::vector<std::int64_t> group;
  Held input(std::int64_t rank) const { return heldOf(from, mesh, mesh.coordinate(rank)); }
  Held output(std::int64_t rank) const { return heldOf(to, mesh, mesh.coordinate(rank)); }
};

// Copies that leave every element at its place need not be made: the call works on the buffer itself.
bool staysInPlace(const std::vector<BoxCopy>& copies) {
  return std::all_of(copies.begin(), copies.end(), [](const BoxCopy& one) {
    return one.empty() || (one.source == one.target && one.sourceStrides == one.targetStrides);
  });
}

// `count` elements for each member; the scratch is left out where the input already lies as it would be packed.
void setPack(PreparedCollective& prepared, std::vector<BoxCopy> pack, std::int64_t elements, const Held& input) {
  if (input.elements() >= elements && staysInPlace(pack)) return;
  prepared.pack = std::move(pack);
  prepared.sendBytes = elements * core::byteSize(prepared.dtype);
}

void setUnpack(PreparedCollective& prepared, std::vector<BoxCopy> unpack, std::int64_t elements, const Held& output) {
  if (output.elements() >= elements && staysInPlace(unpack)) return;
  prepared.unpack = std::move(unpack);
  prepared.receiveBytes = elements * core::byteSize(prepared.dtype);
}

BoxCopy shifted(BoxCopy copy, std::int64_t source, std::int64_t target) {
  copy.source += source;
  copy.target += target;
  return copy;
}

void prepareGather(PreparedCollective& prepared, const Sides& sides, std::int64_t rank) {
  prepared.call.kind = Call::Kind::allGather;
  const Held output = sides.output(rank);
  std::vector<BoxCopy> unpack;
  const std::int64_t count = prepared.call.count = sides.input(rank).elements();
  for (std::size_t i = 0; i < sides.group.size(); ++i) {
    const Held chunk = sides.input(sides.group[i]);
    unpack.push_back(shifted(copyOf(intersect(chunk.ranges, output.ranges), chunk, output), static_cast<std::int64_t>(i) * count, 0));
  }
  setUnpack(prepared, std::move(unpack), static_cast<std::int64_t>(sides.group.size()) * count, output);
}

void prepareScatter(PreparedCollective& prepared, const Sides& sides, std::int64_t rank) {
  prepared.call.kind = Call::Kind::reduceScatter;
  const Held input = sides.input(rank);
  std::vector<BoxCopy> pack;
  const std::int64_t count = prepared.call.count = sides.output(rank).elements();
  for (std::size_t i = 0; i < sides.group.size(); ++i) {
    const Held chunk = sides.output(sides.group[i]);
    pack.push_back(shifted(copyOf(intersect(chunk.ranges, input.ranges), input, chunk), 0, static_cast<std::int64_t>(i) * count));
  }
  setPack(prepared, std::move(pack), static_cast<std::int64_t>(sides.group.size()) * count, input);
}

// What goes from one member to another: the sender's block, but of the dimension that gets split the receiver's part of it.
Held chunkBetween(const Held& sender, const Held& receiver, std::size_t splitDim) {
  Held chunk = sender;
  chunk.shape[splitDim] = receiver.shape[splitDim];
  chunk.ranges[splitDim] = intersect(sender.ranges[splitDim], receiver.ranges[splitDim]);
  chunk.strides = rowMajorStrides(chunk.shape);
  return chunk;
}

void prepareAllToAll(PreparedCollective& prepared, const Sides& sides, std::int64_t rank, std::size_t splitDim) {
  prepared.call.kind = Call::Kind::allToAll;
  const Held input = sides.input(rank), output = sides.output(rank);
  const std::int64_t count = prepared.call.count = chunkBetween(input, output, splitDim).elements();
  const std::int64_t all = count * static_cast<std::int64_t>(sides.group.size());
  std::vector<BoxCopy> pack, unpack;
  for (std::size_t i = 0; i < sides.group.size(); ++i) {
    const std::int64_t at = static_cast<std::int64_t>(i) * count;
    const Held out = chunkBetween(input, sides.output(sides.group[i]), splitDim);
    pack.push_back(shifted(copyOf(out.ranges, input, out), 0, at));
    const Held in = chunkBetween(sides.input(sides.group[i]), output, splitDim);
    unpack.push_back(shifted(copyOf(intersect(in.ranges, output.ranges), in, output), at, 0));
  }
  setPack(prepared, std::move(pack), all, input);
  setUnpack(prepared, std::move(unpack), all, output);
}

void prepareExchange(PreparedCollective& prepared, const ExchangePlan& plan) {
  prepared.call.kind = Call::Kind::exchange;
  prepared.pack = plan.pack;
  prepared.unpack = plan.unpack;
  prepared.keep = plan.keep;
  prepared.sends = plan.sends;
  prepared.receives = plan.receives;
  for (const PeerSlice& one : plan.sends) prepared.sendBytes += one.bytes;
  for (const PeerSlice& one : plan.receives) prepared.receiveBytes += one.bytes;
  prepared.fillsIdentity = plan.fillsIdentity;
}

void preparePermute(PreparedCollective& prepared, const Sides& sides, std::int64_t rank) {
  prepared.call.kind = Call::Kind::exchange;
  const PermutePartners partners = permutePartners(sides.from, sides.to, sides.mesh, sides.group, rank);
  prepared.sends = {{partners.destination, 0, sides.from.bytes}};
  prepared.receives = {{partners.source, 0, sides.to.bytes}};
}

}  // namespace

PreparedCollective prepare(const core::Collective& collective, const Buffer& from, const Buffer& to, const Mesh& mesh, std::int64_t rank) {
  PreparedCollective prepared{.dtype = from.dtype};
  prepared.call.axes = collective.axes;
  prepared.call.dtype = from.dtype;
  prepared.call.reduction = collective.reduction;
  prepared.fill = to.placement.sharding.reduction;
  const Sides sides{from, to, mesh, groupOf(mesh, collective.axes, rank)};
  prepared.outputElements = sides.output(rank).elements();
  switch (collective.kind) {
    case CollectiveKind::allReduce:
    case CollectiveKind::broadcast:
      assert(from.localShape == to.localShape && "an all-reduce and a broadcast change no shape");
      prepared.call.kind = collective.kind == CollectiveKind::allReduce ? Call::Kind::allReduce : Call::Kind::broadcast;
      prepared.call.count = sides.input(rank).elements();
      break;
    case CollectiveKind::allGather: prepareGather(prepared, sides, rank); break;
    case CollectiveKind::reduceScatter: prepareScatter(prepared, sides, rank); break;
    case CollectiveKind::allToAll: prepareAllToAll(prepared, sides, rank, static_cast<std::size_t>(collective.splitDim)); break;
    case CollectiveKind::collectivePermute: preparePermute(prepared, sides, rank); break;
    case CollectiveKind::redistribute: prepareExchange(prepared, planExchange(from, to, mesh, rank)); break;
  }
  return prepared;
}

Call begin(const PreparedCollective& prepared, const std::byte* input, std::byte* output, std::byte* scratch) {
  const std::int64_t elementBytes = core::byteSize(prepared.dtype);
  for (const BoxCopy& one : prepared.pack) run(one, input, scratch, elementBytes);
  Call call = prepared.call;
  call.send = prepared.sendBytes > 0 ? scratch : input;
  call.receive = prepared.receiveBytes > 0 ? scratch + prepared.sendBytes : output;
  // A message's memory is only read by a send.
  for (const PeerSlice& one : prepared.sends) call.sends.push_back({one.peer, const_cast<std::byte*>(call.send) + one.offset, one.bytes});
  for (const PeerSlice& one : prepared.receives) call.receives.push_back({one.peer, call.receive + one.offset, one.bytes});
  return call;
}

void finish(const PreparedCollective& prepared, const std::byte* input, std::byte* output, const std::byte* scratch) {
  const std::int64_t elementBytes = core::byteSize(prepared.dtype);
  if (prepared.fillsIdentity) fillIdentity(prepared.dtype, prepared.fill, output, prepared.outputElements);
  for (const BoxCopy& one : prepared.keep) run(one, input, output, elementBytes);
  for (const BoxCopy& one : prepared.unpack) run(one, scratch + prepared.sendBytes, output, elementBytes);
}

}  // namespace executor
