#include "core/run/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "core/base/error.h"

namespace core {
namespace {

// After fork only what POSIX allows there: everything that needs memory is made before.
struct Prepared {
  std::vector<std::string> environment;
  std::vector<char*> argv, envp;
};

Prepared prepare(const Launch& launch) {
  Prepared prepared;
  for (char** one = environ; *one; ++one) {
    const std::string_view entry = *one;
    bool replaced = false;
    for (const auto& [name, value] : launch.environment) replaced = replaced || (entry.starts_with(name) && entry.substr(name.size()).starts_with('='));
    if (!replaced) prepared.environment.emplace_back(entry);
  }
  for (const auto& [name, value] : launch.environment) prepared.environment.push_back(name + "=" + value);
  for (const std::string& one : launch.argv) prepared.argv.push_back(const_cast<char*>(one.c_str()));
  for (const std::string& one : prepared.environment) prepared.envp.push_back(const_cast<char*>(one.c_str()));
  prepared.argv.push_back(nullptr);
  prepared.envp.push_back(nullptr);
  return prepared;
}

[[noreturn]] void becomeChild(const Prepared& prepared, int output, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(127);  // it died before we could ask to be told
  const int input = ::open("/dev/null", O_RDONLY);
  ::dup2(input, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  for (int one : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) ::signal(one, SIG_DFL);
  ::execve(prepared.argv[0], prepared.argv.data(), prepared.envp.data());
  ::_exit(127);
}

}  // namespace

std::string describe(const Exit& exit) {
  if (exit.signal != 0) return fmt::format("signal {} ({})", exit.signal, ::strsignal(exit.signal));
  if (exit.code > 128 && exit.code <= 128 + 64) return fmt::format("exit code {}: signal {} ({})", exit.code, exit.code - 128, ::strsignal(exit.code - 128));
  return fmt::format("exit code {}", exit.code);
}

pid_t startChild(const Launch& launch, const std::string& log) {
  const Prepared prepared = prepare(launch);
  const int output = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (output < 0) throw Error{.what = std::string("cannot write: ") + std::strerror(errno), .where = log, .right = {}};
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) becomeChild(prepared, output, parent);
  ::close(output);
  if (child < 0) throw Error{.what = std::string("cannot start a process: ") + std::strerror(errno), .where = launch.argv[0], .right = {}};
  ::setpgid(child, child);
  return child;
}

std::optional<Exit> hasEnded(pid_t child) {
  int status = 0;
  const pid_t got = ::waitpid(child, &status, WNOHANG);
  if (got == 0 || (got < 0 && errno == EINTR)) return std::nullopt;
  if (got < 0) return Exit{127, 0};
  if (WIFSIGNALED(status)) return Exit{128 + WTERMSIG(status), WTERMSIG(status)};
  return Exit{WEXITSTATUS(status), 0};
}

bool isRankAlive(pid_t pid, const std::string& runFolder) {
  const std::string process = "/proc/" + std::to_string(pid);
  std::ifstream statFile(process + "/stat"), commandFile(process + "/cmdline", std::ios::binary);
  std::stringstream stat, command;
  stat << statFile.rdbuf();
  command << commandFile.rdbuf();
  const std::string text = stat.str();
  const std::size_t behindName = text.rfind(')');  // the name may hold anything
  if (behindName == std::string::npos || behindName + 2 >= text.size()) return false;
  const char state = text[behindName + 2];
  return state != 'Z' && state != 'X' && command.str().find(runFolder) != std::string::npos;
}

void killGroup(pid_t child, int signal) { ::kill(-child, signal); }

}  // namespace core
