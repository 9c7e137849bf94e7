#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/layout/sharding.h"
#include "core/mesh/mesh.h"
#include "core/tdl/expression.h"

// What ranks say to each other: calls on contiguous memory, within groups of ranks that differ only in some axes.
// A group counts its members by their coordinate on `axes`, the first axis slowest.
//
// There are two implementations: all ranks in this process in lockstep (in_process.h), and MPI (mpi_communicator.h), where this
// process is one rank. Everything above (packing, instructions) is the same for both.

namespace executor {

struct Message {
  std::int64_t peer = 0;  // a rank
  std::byte* data = nullptr;
  std::int64_t bytes = 0;
};

// `count` is in elements: of the whole buffer for an all-reduce and a broadcast, of what a rank hands over for an all-gather, of what
// it gets for a reduce-scatter, of what goes to one member for an all-to-all. Equal send and receive mean in place (all-reduce only).
struct Call {
  enum class Kind : std::uint8_t { allReduce, allGather, reduceScatter, allToAll, broadcast, exchange };
  Kind kind = Kind::allReduce;
  core::AxisList axes;
  core::DType dtype = core::DType::f32;
  core::Reduction reduction = core::Reduction::sum;
  const std::byte* send = nullptr;
  std::byte* receive = nullptr;
  std::int64_t count = 0;
  std::vector<Message> sends, receives;  // exchange: messages between any two ranks, one each way at most
};

class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual const core::Mesh& mesh() const = 0;
  // The ranks that live in this process; the calls of one instruction are issued for all of them together.
  virtual std::span<const std::int64_t> ranks() const = 0;
  // calls[i] are those of ranks()[i]. All ranks issue calls of equal kinds in equal order. Memory must stay until wait() returns.
  // `waitedAtOnce`: nothing happens between this and the wait, so that the calls may block; they are then quicker.
  virtual int start(std::span<const std::vector<Call>> calls, bool waitedAtOnce) = 0;
  virtual void wait(int ticket) = 0;
};

// The ranks of the group that `rank` is in, in the group's order.
std::vector<std::int64_t> groupOf(const core::Mesh& mesh, const core::AxisList& axes, std::int64_t rank);

struct Payload {
  std::int64_t bytesIn = 0;   // handed to calls
  std::int64_t bytesOut = 0;  // received from them
  bool operator==(const Payload&) const = default;
};

// What a call moves, from its own arguments.
Payload payloadOf(const Call& call, const core::Mesh& mesh);

// Counts what is really handed to the communicator beneath it.
class CountingCommunicator final : public Communicator {
 public:
  explicit CountingCommunicator(Communicator& beneath) : beneath_(beneath), counted_(beneath.ranks().size()) {}
  const core::Mesh& mesh() const override { return beneath_.mesh(); }
  std::span<const std::int64_t> ranks() const override { return beneath_.ranks(); }
  int start(std::span<const std::vector<Call>> calls, bool waitedAtOnce) override;
  void wait(int ticket) override { beneath_.wait(ticket); }
  // Since it was last asked, of ranks()[i].
  Payload take(std::size_t i);

 private:
  Communicator& beneath_;
  std::vector<Payload> counted_;
};

}  // namespace executor
