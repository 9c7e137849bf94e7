#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/layout/sharding.h"
#include "core/spmd/program.h"

// Which elements a `redistribute` moves, from index sets alone.
//
//   x [8] over a:2 -> x [8] over (a,b):2x2      rank (0,1) needs 2..4, and holds them: nothing moves
//   x [8] over a:2 -> x [8] over b:2            rank (0,1) needs 4..8, held by (1,0) and (1,1)
//
// Who sends an element that several ranks hold: the rank that needs it, if it has it; else, dimension by dimension,
// the receiver's own block where that holds the index, or else the first block that does; and on every axis that does not split
// the input the receiver's own coordinate. So (0,1) above is served by (1,1), and work spreads over the replicas.

namespace core {

// Same sizes: boxes in global indices. A reshape: runs of global row-major linear indices, ascending; boxes are then empty.
struct Transfer {
  std::int64_t peer = 0;                 // the other rank; the rank itself for what stays
  std::int64_t elements = 0;
  std::vector<std::vector<Range>> boxes;
  std::vector<Range> runs;
  bool operator==(const Transfer&) const = default;
};

// In order of the peer. Both sides list a transfer's boxes and runs in one order, which is that of the message.
struct RedistributePlan {
  std::vector<Transfer> sends;
  std::vector<Transfer> receives;
  Transfer stays;
  bool reshapes = false;
  std::int64_t elementsSent() const;
  std::int64_t elementsReceived() const;
};

// An axis that is partial in the input must be partial in the output; one that is partial only in the output is served
// where its coordinate is 0. A reshape needs a plain input.
RedistributePlan planRedistribute(const Buffer& from, const Buffer& to, const Mesh& mesh, std::int64_t rank);

// The maximal runs of row-major linear indices that a box covers, ascending.
std::vector<Range> linearRuns(std::span<const Range> box, std::span<const std::int64_t> sizes);

}  // namespace core
