#pragma once

#include "core/run/run_folder.h"
#include "core/spmd/program.h"
#include "executor/collectives/collectives.h"

namespace executor {

// One rank of a run, from first values to last checkpoint, as the settings in the folder's run.json say. Spans go to the rank's own
// trace; rank 0 alone appends events. Returns after the last step, or after the step in which someone asked to stop.
void runRank(const core::Program& program, Communicator& communicator, const core::RunFolder& folder);

}  // namespace executor
