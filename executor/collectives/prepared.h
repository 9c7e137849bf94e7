#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/spmd/program.h"
#include "executor/collectives/collectives.h"
#include "executor/kernels/copy.h"

// One pair (input, output) of a collective instruction on one rank: which elements are packed, sent and unpacked. It follows from the two
// placements alone, is planned once and carried out each step.

namespace executor {

// A part of the scratch that goes to, or comes from, one rank; in bytes.
struct PeerSlice {
  std::int64_t peer = 0;
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
};

struct PreparedCollective {
  Call call;                          // pointers are put in for each run
  core::DType dtype = core::DType::f32;
  std::vector<BoxCopy> pack;          // input -> send scratch
  std::vector<BoxCopy> unpack;        // receive scratch -> output
  std::vector<BoxCopy> keep;          // input -> output, without traffic
  std::vector<PeerSlice> sends, receives;
  std::int64_t sendBytes = 0;         // of scratch; 0: handed over from where the input lies
  std::int64_t receiveBytes = 0;      // of scratch; 0: received where the output lies
  bool fillsIdentity = false;         // the output first takes the identity of `fill`
  core::Reduction fill = core::Reduction::sum;
  std::int64_t outputElements = 0;
};

PreparedCollective prepare(const core::Collective& collective, const core::Buffer& from, const core::Buffer& to, const core::Mesh& mesh, std::int64_t rank);

// Packs and gives the call as it is to be issued. `scratch` has sendBytes + receiveBytes.
Call begin(const PreparedCollective& prepared, const std::byte* input, std::byte* output, std::byte* scratch);
// After the wait: output is whole.
void finish(const PreparedCollective& prepared, const std::byte* input, std::byte* output, const std::byte* scratch);

}  // namespace executor
