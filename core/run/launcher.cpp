#include "core/run/launcher.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "core/base/error.h"
#include "core/base/text.h"

namespace core {
namespace {

namespace fs = std::filesystem;

bool isProgram(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

// OpenMPI refuses root unless told twice, and more ranks than cores unless told once; a rank with threads of its own must not be bound to one core.
Launch begin(const LaunchOptions& options) {
  const std::string threads = std::to_string(options.threads);
  return {.argv = {options.mpirun, "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-x", "OMP_NUM_THREADS"},
          .environment = {{"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                          {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
                          {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
                          {"OMP_NUM_THREADS", threads},
                          {"OMP_WAIT_POLICY", "passive"}}};
}

Launch end(Launch launch, const LaunchOptions& options) {
  for (const std::string& one : {std::string("-n"), std::to_string(options.ranks), options.rankProgram, std::string("--run"), options.runFolder}) launch.argv.push_back(one);
  return launch;
}

}  // namespace

Launch localLaunch(const LaunchOptions& options) { return end(begin(options), options); }

Launch hostLaunch(const LaunchOptions& options) {
  Launch launch = begin(options);
  const std::string hosts = join(options.hosts, ",");
  // Hosts that do not know of each other's ranks would spin; a dead link is noticed only by keepalives.
  for (const char* one : {"--map-by", "node", "--mca", "mpi_yield_when_idle", "1", "--mca", "oob_tcp_keepalive_time", "2", "--mca", "oob_tcp_keepalive_intvl", "1",
                          "--mca", "oob_tcp_keepalive_probes", "3", "--host"})
    launch.argv.push_back(one);
  launch.argv.push_back(hosts);
  return end(std::move(launch), options);
}

std::string findOnPath(const std::string& program, const std::string& right) {
  if (program.find('/') != std::string::npos && isProgram(program)) return program;
  const char* path = std::getenv("PATH");
  if (program.find('/') == std::string::npos)
    for (std::string_view folder : split(path ? path : "", ':'))
      if (const fs::path found = fs::path(folder.empty() ? "." : folder) / program; isProgram(found)) return found.string();
  throw Error{.what = "cannot find the program \"" + program + "\"", .where = "PATH", .right = right};
}

std::string findBeside(const std::string& program) {
  std::error_code error;
  const fs::path path = fs::read_symlink("/proc/self/exe", error).parent_path() / program;
  if (error || !isProgram(path)) throw Error{.what = "cannot find the program \"" + program + "\"", .where = path.string(), .right = "it lies beside this program"};
  return path.string();
}

}  // namespace core
