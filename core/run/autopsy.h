#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/run/child.h"
#include "core/run/events.h"
#include "core/run/run_folder.h"
#include "core/spmd/program.h"

namespace core {

// What is known when all ranks are gone.
struct RunEnd {
  Exit exit;                             // of the launcher
  std::optional<std::int64_t> deadRank;  // the first that was seen dead while others lived
  std::int64_t ranks = 1;
  std::int64_t lastStep = 0;             // that rank 0 told of
  std::int64_t plannedStep = 0;          // the last one that was asked for
  bool killed = false;                   // a person asked twice
};

// The last event of a run: done, stopped, or failed with rank, step and instruction, from what the ranks left behind.
FinishedEvent autopsy(const RunFolder& folder, const Program& program, const RunEnd& end);

}  // namespace core
