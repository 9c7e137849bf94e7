#pragma once

#include <cstdint>

#include "core/cost/calibration.h"

namespace app {

struct MeasureOptions {
  std::int64_t ranks = 2;
  std::int64_t threads = 1;
  std::int64_t steps = 8;
  std::int64_t largest = 1024;  // edge of the largest product
};

// Measures this machine by running programs on it, as any run does: products, copies, messages between ranks, and an
// instruction that has hardly anything to do. Of each the best of all steps. Error when the run fails.
core::Measurements measureMachine(const MeasureOptions& options);

}  // namespace app
