#pragma once

#include <map>
#include <memory>
#include <vector>

#include "executor/kernels/kernel.h"

namespace executor {

// A chain of computes over one iteration space. What lives only inside the body never reaches the arena.
struct FusedKernel {
  std::unique_ptr<Kernel> kernel;
  std::vector<core::BufferId> inputs, outputs;  // of the arena, in the order in which the kernel takes them
};

FusedKernel prepareFused(const core::Program& program, const core::Instruction& fused, const core::Coordinate& at, int threads);

}  // namespace executor
