#pragma once

#include <cstdint>
#include <string>

#include "core/plan/plan.h"
#include "core/run/events.h"

// A run is a folder:
//
//   plan.json program.json run.json events.ndjson trace/rank.N.ndjson trace/where.N checkpoints/ log      (stop, trace/error.N)
//
// Rank 0 writes events.ndjson; a rank its files in trace/; whoever started the run writes run.json, alone, and the last event.

namespace core {

struct RunFolder {
  std::string path;
  std::string plan() const { return path + "/plan.json"; }
  std::string program() const { return path + "/program.json"; }
  std::string run() const { return path + "/run.json"; }
  std::string events() const { return path + "/events.ndjson"; }
  std::string trace() const { return path + "/trace"; }
  std::string trace(std::int64_t rank) const { return path + "/trace/rank." + std::to_string(rank) + ".ndjson"; }
  std::string where(std::int64_t rank) const { return path + "/trace/where." + std::to_string(rank); }
  std::string error(std::int64_t rank) const { return path + "/trace/error." + std::to_string(rank); }  // why a rank gave up
  std::string checkpoints() const { return path + "/checkpoints"; }
  std::string log() const { return path + "/log"; }    // what mpirun and the ranks printed
  std::string stop() const { return path + "/stop"; }  // its presence ends the run after the step
};

struct RunSettings {
  std::int64_t steps = 1;
  Data data;
  std::int64_t checkpointEvery = 0;  // steps; 0 = none but the last
  std::string from;                  // run folder or checkpoint to go on from; empty = from the start
  std::uint64_t seed = 0;
  std::int64_t threads = 1;          // of a rank
  bool inference = false;
  bool operator==(const RunSettings&) const = default;
};

struct RunInfo {
  std::int64_t pid = 0;   // of the process that wrote this file
  std::string host;
  double started = 0;     // seconds since 1970
  double heartbeat = 0;   // when it was last written; every second while the run goes on
  RunState state = RunState::running;
  std::int64_t ranks = 1;
  std::string variant;
  RunSettings settings;
  bool operator==(const RunInfo&) const = default;
};

// Makes the folder and those inside it. Error when it holds a run already, or when something on its path is no folder.
RunFolder createRunFolder(const std::string& path);
bool isRunFolder(const std::string& path);
RunFolder openRunFolder(const std::string& path);  // Error when it is none

RunInfo readRunInfo(const RunFolder& folder);
void writeRunInfo(const RunFolder& folder, const RunInfo& info);  // atomically

// Running as its file says, but nobody has written to it for ten seconds: whoever looked after the run is gone.
bool isOrphaned(const RunInfo& info, double now);
double secondsNow();  // since 1970

// Why a rank gave up, as one line: written by its main before it ends, so that whoever launched it can say so.
void writeRankError(const RunFolder& folder, std::int64_t rank, const std::string& text);

void requestStop(const RunFolder& folder);

}  // namespace core
