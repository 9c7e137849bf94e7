#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// How ranks are started: a launcher returns the command, whoever supervises the run starts it.
//
//   localLaunch({.ranks = 4, .rankProgram = "/usr/bin/meshwright-rank", .runFolder = "runs/1"}).argv
//     -> mpirun --allow-run-as-root --oversubscribe --bind-to none -n 4 /usr/bin/meshwright-rank --run runs/1

namespace core {

struct LaunchOptions {
  std::int64_t ranks = 1;
  std::int64_t threads = 1;        // of a rank
  std::string rankProgram;         // meshwright-rank
  std::string runFolder;
  std::vector<std::string> hosts;  // "node1", "node2:4" with slots; for hostLaunch
  std::string mpirun = "mpirun";
};

struct Launch {
  std::vector<std::string> argv;
  std::vector<std::pair<std::string, std::string>> environment;  // beside what this process has
};

Launch localLaunch(const LaunchOptions& options);  // all ranks on this machine
Launch hostLaunch(const LaunchOptions& options);   // over hosts that share the run folder

// The full path of a program on PATH (or of a path itself). Error naming the package that has it when it is missing.
std::string findOnPath(const std::string& program, const std::string& right);

// A program of ours beside this executable: "meshwright-rank". Error when it is not there.
std::string findBeside(const std::string& program);

}  // namespace core
