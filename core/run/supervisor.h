#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/plan/plan.h"
#include "core/run/events.h"
#include "core/run/launcher.h"
#include "core/run/run_folder.h"
#include "core/spmd/program.h"

// Looks after a run from before its ranks are there until after they are gone: the same for window and scripts, which
// start it as a process of its own.

namespace core {

struct SuperviseOptions {
  std::int64_t maxRanks = 16;      // on one host
  std::vector<std::string> hosts;  // empty: this machine
  std::string mpirun = "mpirun";
  std::function<void(const std::string& line)> heard;  // each event's line, the last one too
};

// What must hold before anything is made: Error for too many ranks, a missing mpirun or meshwright-rank.
LaunchOptions prepareLaunch(const Program& program, const RunSettings& settings, const SuperviseOptions& options);

// Makes the folder with plan.json (this variant alone), program.json and run.json. Error, with nothing made, when there is a run in it.
RunFolder layDownRun(const std::string& path, const Plan& plan, std::size_t variant, const Program& program, const RunSettings& settings);

// Starts the ranks, keeps run.json's heartbeat, waits until all are gone, appends the last event and returns it.
// Never hangs: a rank that dies takes the others down within seconds. SIGINT and SIGTERM ask the run to stop after
// its step; a second one ends it at once. Call it on the main thread, which the ranks do not outlive.
FinishedEvent supervise(const RunFolder& folder, const Program& program, LaunchOptions launch, const SuperviseOptions& options);

}  // namespace core
