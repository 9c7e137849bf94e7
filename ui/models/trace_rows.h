#pragma once

#include <QString>
#include <map>
#include <vector>

#include "core/mesh/mesh.h"
#include "core/run/trace.h"
#include "core/spmd/program.h"
#include "ui/session/run_prediction.h"
#include "ui/widgets/timeline_data.h"

namespace ui {

// Spans of a trace as slices of a timeline: a row a rank with compute, communication and waiting; grows with the trace.
class TraceRows {
 public:
  struct Addition {
    int row = 0;
    TimelineLane::Kind lane = TimelineLane::Kind::compute;
    TimelineSlice slice;
    bool beginsStep = false;  // of its rank
  };

  // Rows and labels for a trace of `ranks` ranks. The axis of a collective is that of the instruction of its name in the
  // program that was run; none without one.
  TimelineData begin(const core::Trace& trace, const core::Mesh& mesh, const core::Program* program);
  // What has come since the last call. Only whole instructions whose names are known.
  std::vector<Addition> take(const core::Trace& trace);
  bool knows(const core::Trace& trace) const { return labels_ == trace.instructions.size() && labels_ > 0; }

 private:
  std::size_t taken_ = 0;
  std::size_t labels_ = 0;
  std::vector<std::int16_t> axes_;  // per instruction
  std::map<std::int32_t, std::int64_t> steps_;  // of each rank the last
  double origin_ = 0;
  bool started_ = false;
};

// What the model says of a step, a row a rank, under the labels of the trace.
std::vector<TimelinePrediction> predictionRows(const core::Trace& trace, const RunPrediction& prediction);

TimelineLane::Kind laneOf(core::InstructionKind kind);
QString rankName(const core::Mesh& mesh, std::int64_t rank);  // "data 0 · model 1"

}  // namespace ui
