#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/spmd/program.h"

namespace executor {

// What one rank really did for one instruction: flops from the sizes that kernels were called with, payload from the calls as issued.
struct CountedInstruction {
  std::int32_t instruction = 0;  // counted as core::traceInstructions does: each iteration of a repeat for itself
  std::int32_t iteration = 0;    // of the repeat that holds it
  std::int64_t flops = 0;
  std::int64_t bytesIn = 0;
  std::int64_t bytesOut = 0;
  double start = 0, end = 0;     // seconds of a steady clock
};

// What one rank did in one step, in order.
struct Counted {
  std::vector<CountedInstruction> instructions;
  std::array<std::int64_t, core::memoryClasses> peak{};  // bytes of the buffers bound, by class, when they were most
  std::int64_t runtimeBytes = 0;                         // scratch that no plan knows of
  std::int64_t flops() const {
    std::int64_t sum = 0;
    for (const CountedInstruction& one : instructions) sum += one.flops;
    return sum;
  }
};

}  // namespace executor
