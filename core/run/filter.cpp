#include "core/run/filter.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/run/child.h"

namespace core {
namespace {

struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() {
    if (::pipe2(ends, O_CLOEXEC) != 0) throw Error{.what = std::string("cannot make a pipe: ") + std::strerror(errno), .where = {}, .right = {}};
  }
  ~Pipe() { close(0), close(1); }
  void close(int end) {
    if (ends[end] >= 0) ::close(ends[end]);
    ends[end] = -1;
  }
};

// A child with all three streams in our hands; killed unless it was waited for.
class Child {
 public:
  explicit Child(const std::vector<std::string>& argv) {
    std::vector<char*> words;
    for (const std::string& one : argv) words.push_back(const_cast<char*>(one.c_str()));
    words.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ < 0) throw Error{.what = std::string("cannot start a process: ") + std::strerror(errno), .where = argv[0], .right = {}};
    if (pid_ == 0) {
      ::dup2(input.ends[0], STDIN_FILENO);
      ::dup2(output.ends[1], STDOUT_FILENO);
      ::dup2(message.ends[1], STDERR_FILENO);
      ::signal(SIGPIPE, SIG_DFL);
      ::execv(words[0], words.data());
      ::_exit(127);
    }
    input.close(0), output.close(1), message.close(1);
    ::fcntl(input.ends[1], F_SETFL, O_NONBLOCK);
  }
  ~Child() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  // Both its outputs are closed, so it is about to end; a program that does not is killed.
  Exit wait(std::chrono::steady_clock::time_point deadline) {
    std::optional<Exit> ended;
    while (!(ended = hasEnded(pid_))) {
      if (std::chrono::steady_clock::now() > deadline) ::kill(pid_, SIGKILL);
      ::usleep(1000);
    }
    pid_ = -1;
    return *ended;
  }

  Pipe input, output, message;

 private:
  pid_t pid_ = -1;
};

// Takes what is there; false at the end.
bool take(int file, std::string& text) {
  char block[65536];
  const ssize_t got = ::read(file, block, sizeof block);
  if (got > 0) text.append(block, static_cast<std::size_t>(got));
  return got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN));
}

// A program that fails can say very much.
std::string firstLines(const std::string& message) { return std::string(trim(std::string_view(message).substr(0, 400))); }

}  // namespace

std::string filter(const std::vector<std::string>& argv, const std::string& input, double seconds) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
  const auto before = ::signal(SIGPIPE, SIG_IGN);
  Child child(argv);
  std::string output, message;
  std::size_t sent = 0;
  while (child.output.ends[0] >= 0 || child.message.ends[0] >= 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    if (left <= 0) throw Error{.what = fmt::format("took longer than {} seconds and was ended", seconds), .where = argv[0], .right = "a smaller graph"};
    pollfd files[3] = {{child.output.ends[0], POLLIN, 0}, {child.message.ends[0], POLLIN, 0}, {child.input.ends[1], POLLOUT, 0}};
    if (::poll(files, 3, static_cast<int>(left)) <= 0) continue;
    if (files[0].revents && !take(child.output.ends[0], output)) child.output.close(0);
    if (files[1].revents && !take(child.message.ends[0], message)) child.message.close(0);
    if (files[2].revents) {
      const ssize_t done = ::write(child.input.ends[1], input.data() + sent, input.size() - sent);
      if (done > 0) sent += static_cast<std::size_t>(done);
      if (sent == input.size() || (done < 0 && errno != EAGAIN && errno != EINTR)) child.input.close(1);
    }
  }
  const Exit exit = child.wait(deadline);
  ::signal(SIGPIPE, before);
  if (exit.code != 0) throw Error{.what = fmt::format("failed with {}: {}", describe(exit), firstLines(message)), .where = argv[0], .right = {}};
  return output;
}

}  // namespace core
