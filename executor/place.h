#pragma once

#include "core/spmd/program.h"
#include "executor/kernels/copy.h"

namespace executor {

// A local reshard without traffic, on one rank: the part that it holds and has a say in, the identity elsewhere.
struct PreparedPlace {
  core::DType dtype = core::DType::f32;
  core::Reduction reduction = core::Reduction::sum;
  bool fills = false;             // with the identity, first
  std::int64_t elements = 0;      // of the output, allocated
  std::vector<BoxCopy> copies;    // none where this rank has no say
};

PreparedPlace preparePlace(const core::Buffer& from, const core::Buffer& to, const core::Mesh& mesh, const core::Coordinate& at);
void run(const PreparedPlace& place, const std::byte* input, std::byte* output);

}  // namespace executor
