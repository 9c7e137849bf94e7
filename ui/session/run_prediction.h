#pragma once

#include <QString>
#include <memory>
#include <string>
#include <vector>

#include "core/cost/simulate.h"
#include "core/spmd/program.h"

namespace ui {

// What the model says of one step of a run, rank by rank, by the program in its folder and the machine in its plan.
struct RunPrediction {
  std::shared_ptr<const core::Program> program;  // none when the folder has no readable one
  core::Cost cost;                         // a device a rank; instructions point into `program`
  std::vector<core::PredictedTrace> ranks; // empty = none, and `missing` says why
  QString machine;
  QString missing;
};
using RunPredictionRef = std::shared_ptr<const RunPrediction>;

// For another thread than the UI's. Error when the folder's files are broken.
RunPredictionRef predictRun(const std::string& folder);

}  // namespace ui
