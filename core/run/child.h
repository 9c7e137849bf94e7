#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "core/run/launcher.h"

// The launcher's process, and the ranks that it made on this machine.

namespace core {

// How a process ended.
struct Exit {
  int code = 0;    // 128 + signal when one ended it
  int signal = 0;  // 0 = none
};
std::string describe(const Exit& exit);  // "exit code 3", "signal 9 (Killed)"

// Starts it with standard input empty and both outputs appended to `log`, in a process group of its own; it gets SIGTERM
// when this process dies, however it does.
pid_t startChild(const Launch& launch, const std::string& log);
std::optional<Exit> hasEnded(pid_t child);  // none while it runs

// Is there such a process, and is it one of this run's ranks? A pid is used again by others.
bool isRankAlive(pid_t pid, const std::string& runFolder);
void killGroup(pid_t child, int signal);

}  // namespace core
