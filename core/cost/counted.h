#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/cost/cost.h"

// What ranks really did: payload from the arguments of the communication calls as they were issued, flops from the sizes that
// kernels were called with, memory as the peak of the buffers that were bound. Whoever runs a program fills this; compare.h joins it.

namespace core {

// One instruction on one rank, summed over `times` executions: an iteration of a repeat is an entry of its own.
struct CountedInstruction {
  std::string name;            // Instruction::name
  std::int64_t iteration = 0;  // of the innermost repeat that holds it
  std::int64_t times = 0;      // steps that were counted
  std::int64_t flops = 0;
  std::int64_t bytesIn = 0, bytesOut = 0;
  double seconds = 0;          // measured
};

struct CountedRank {
  std::int64_t rank = 0;
  std::vector<CountedInstruction> instructions;
  std::optional<MemoryAt> peak;  // by class, at the moment of the largest total; none when it was not counted
  std::int64_t runtimeBytes = 0; // libraries and MPI: measured, outside what is exact
};

struct Counted {
  std::vector<CountedRank> ranks;
  double stepSeconds = 0;  // measured, the mean of the steps; 0 when unknown
};

}  // namespace core
