#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/cost/compare.h"
#include "core/spmd/program.h"

namespace ui {

// Predicted beside counted and measured of one run, by what its folder holds. Rows point into `program`.
struct RunComparison {
  std::shared_ptr<const core::Program> program;
  core::Comparison comparison;
  std::string machine;  // that seconds are predicted for; empty = none
};
using RunComparisonRef = std::shared_ptr<const RunComparison>;

// Reads the whole trace: for another thread than the UI's. None when no step was counted; Error when a file is broken.
RunComparisonRef compareRun(const std::string& folder);

}  // namespace ui
