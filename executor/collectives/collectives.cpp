#include "executor/collectives/collectives.h"

#include <cassert>
#include <utility>

namespace executor {

std::vector<std::int64_t> groupOf(const core::Mesh& mesh, const core::AxisList& axes, std::int64_t rank) {
  core::Coordinate at = mesh.coordinate(rank);
  const std::int64_t members = mesh.size(axes);
  std::vector<std::int64_t> group;
  for (std::int64_t member = 0; member < members; ++member) {
    std::int64_t rest = member;
    for (std::size_t i = axes.size(); i-- > 0;) {
      at[axes[i]] = rest % mesh.size(axes[i]);
      rest /= mesh.size(axes[i]);
    }
    group.push_back(mesh.rank(at));
  }
  return group;
}

Payload payloadOf(const Call& call, const core::Mesh& mesh) {
  const std::int64_t bytes = call.count * core::byteSize(call.dtype);
  const std::int64_t members = mesh.size(call.axes);
  Payload payload;
  switch (call.kind) {
    case Call::Kind::allReduce:
    case Call::Kind::broadcast: return {bytes, bytes};
    case Call::Kind::allGather: return {bytes, members * bytes};
    case Call::Kind::reduceScatter: return {members * bytes, bytes};
    case Call::Kind::allToAll: return {members * bytes, members * bytes};
    case Call::Kind::exchange:
      for (const Message& one : call.sends) payload.bytesIn += one.bytes;
      for (const Message& one : call.receives) payload.bytesOut += one.bytes;
  }
  return payload;
}

int CountingCommunicator::start(std::span<const std::vector<Call>> calls, bool waitedAtOnce) {
  assert(calls.size() == counted_.size() && "one list of calls for each rank of this process");
  for (std::size_t i = 0; i < calls.size(); ++i)
    for (const Call& call : calls[i]) {
      const Payload payload = payloadOf(call, mesh());
      counted_[i].bytesIn += payload.bytesIn;
      counted_[i].bytesOut += payload.bytesOut;
    }
  return beneath_.start(calls, waitedAtOnce);
}

Payload CountingCommunicator::take(std::size_t i) { return std::exchange(counted_[i], {}); }

}  // namespace executor
