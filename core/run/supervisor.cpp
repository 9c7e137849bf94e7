#include "core/run/supervisor.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "core/base/error.h"
#include "core/io/file.h"
#include "core/io/plan_file.h"
#include "core/io/program_file.h"
#include "core/run/autopsy.h"
#include "core/run/child.h"
#include "core/run/lines.h"
#include "core/run/where.h"

namespace core {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr auto lookEvery = std::chrono::milliseconds(50);
constexpr double heartbeatEvery = 1;   // seconds
constexpr double graceForOthers = 3;   // mpirun ends the others by itself about a second after one died
constexpr double graceAfterTerm = 3;

std::atomic<int> signalsHeard{0};
extern "C" void hearSignal(int) { ++signalsHeard; }

double secondsSince(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

std::string hostName() {
  char name[256] = {};
  ::gethostname(name, sizeof name - 1);
  return name;
}

// One run while its ranks are there.
class Watch {
 public:
  Watch(const RunFolder& folder, const SuperviseOptions& options, pid_t child, RunInfo info)
      : folder_(folder), options_(options), child_(child), info_(std::move(info)), where_(static_cast<std::size_t>(info_.ranks)) {}

  RunEnd untilAllGone() {
    while (!(ended_ = hasEnded(child_))) {
      look();
      std::this_thread::sleep_for(lookEvery);
    }
    endRanksThatAreLeft();
    forward();
    return {.exit = *ended_, .deadRank = deadRank_, .ranks = info_.ranks, .lastStep = lastStep_, .plannedStep = plannedStep_, .killed = killed_};
  }

 private:
  void look() {
    forward();
    heedSignals();
    if (secondsSince(beat_) >= heartbeatEvery) beat();
    if (secondsSince(checked_) >= 0.25) checkRanks();
    endOthersWhenOneDied();
  }

  // Passes rank 0's lines on and remembers how far it came. Rank 0 lives on this machine, or its folder is shared.
  void forward() {
    for (const std::string& line : newLines(folder_.events(), eventsRead_)) {
      if (options_.heard) options_.heard(line);
      note(parseEvent(line, folder_.events()));
    }
  }

  void note(const Event& event) {
    if (const auto* started = std::get_if<StartedEvent>(&event)) {
      plannedStep_ = started->firstStep + started->steps - 1;
      lastStep_ = started->firstStep - 1;
    }
    if (const auto* step = std::get_if<StepEvent>(&event)) lastStep_ = step->step;
  }

  void beat() {
    beat_ = Clock::now();
    info_.heartbeat = secondsNow();
    try {
      writeRunInfo(folder_, info_);
    } catch (const Error&) {
      // A full disk must not end a run that does well; readers see that the heartbeat is late.
    }
  }

  // A rank whose process is gone although it did not come to its end. On other hosts mpirun must tell.
  void checkRanks() {
    checked_ = Clock::now();
    if (deadRank_ || !options_.hosts.empty()) return;
    for (std::size_t rank = 0; rank < where_.size(); ++rank) {
      if (!where_[rank]) where_[rank] = readWhere(folder_.where(static_cast<std::int64_t>(rank)));
      if (!where_[rank] || isRankAlive(static_cast<pid_t>(where_[rank]->pid), folder_.path)) continue;
      where_[rank] = readWhere(folder_.where(static_cast<std::int64_t>(rank)));
      if (where_[rank] && where_[rank]->finished) continue;
      deadRank_ = static_cast<std::int64_t>(rank);
      diedAt_ = Clock::now();
      return;
    }
  }

  void endOthersWhenOneDied() {
    if (deadRank_ && secondsSince(diedAt_) > graceForOthers) killGroup(child_, SIGTERM);
    if (deadRank_ && secondsSince(diedAt_) > graceForOthers + graceAfterTerm) killGroup(child_, SIGKILL);
  }

  void heedSignals() {
    const int heard = signalsHeard.load();
    if (heard == heeded_) return;
    heeded_ = heard;
    if (heard == 1) return requestStop(folder_);
    killed_ = true;
    killGroup(child_, heard == 2 ? SIGTERM : SIGKILL);
  }

  // Ranks outlive an mpirun that was killed; one that hangs in a communication call would do so for ever.
  void endRanksThatAreLeft() {
    const auto begin = Clock::now();
    while (true) {
      bool left = false;
      for (std::int64_t rank = 0; rank < info_.ranks; ++rank) {
        const auto where = readWhere(folder_.where(rank));
        if (!where || !options_.hosts.empty() || !isRankAlive(static_cast<pid_t>(where->pid), folder_.path)) continue;
        left = true;
        if (secondsSince(begin) > graceAfterTerm) ::kill(static_cast<pid_t>(where->pid), SIGKILL);
      }
      if (!left || secondsSince(begin) > 2 * graceAfterTerm) return;
      std::this_thread::sleep_for(lookEvery);
    }
  }

  const RunFolder& folder_;
  const SuperviseOptions& options_;
  pid_t child_;
  RunInfo info_;
  std::vector<std::optional<Where>> where_;
  std::optional<Exit> ended_;
  std::optional<std::int64_t> deadRank_;
  std::int64_t eventsRead_ = 0, lastStep_ = 0, plannedStep_ = 1;
  Clock::time_point beat_ = Clock::now(), checked_ = beat_, diedAt_ = beat_;
  int heeded_ = 0;
  bool killed_ = false;
};

void hearSignals() {
  signalsHeard = 0;
  struct sigaction action {};
  action.sa_handler = hearSignal;
  for (int one : {SIGINT, SIGTERM}) ::sigaction(one, &action, nullptr);
  ::signal(SIGPIPE, SIG_IGN);  // whoever read our events may leave; the run goes on
  ::signal(SIGHUP, SIG_IGN);
}

// We cannot follow the run any more (its events are broken): it must not go on unseen.
void endNow(pid_t child) {
  killGroup(child, SIGTERM);
  const auto begin = Clock::now();
  while (!hasEnded(child) && secondsSince(begin) < 2 * graceAfterTerm) {
    if (secondsSince(begin) > graceAfterTerm) killGroup(child, SIGKILL);
    std::this_thread::sleep_for(lookEvery);
  }
}

void tell(const RunFolder& folder, const FinishedEvent& event, const SuperviseOptions& options) {
  EventWriter(folder.events()).write(event);
  if (options.heard) options.heard(toLine(event));
}

}  // namespace

LaunchOptions prepareLaunch(const Program& program, const RunSettings& settings, const SuperviseOptions& options) {
  const std::int64_t ranks = program.mesh.devices();
  const std::int64_t most = options.maxRanks * std::max<std::int64_t>(1, static_cast<std::int64_t>(options.hosts.size()));
  if (ranks > most)
    throw Error{.what = fmt::format("the mesh {} has {} devices, one rank each; at most {} may be started", print(program.mesh), ranks, most),
                .where = "--max-ranks",
                .right = fmt::format("a smaller mesh, or --max-ranks {}", ranks)};
  return {.ranks = ranks,
          .threads = settings.threads,
          .rankProgram = findBeside("meshwright-rank"),
          .hosts = options.hosts,
          .mpirun = findOnPath(options.mpirun, "install OpenMPI (Debian: openmpi-bin), or give --mpirun FILE")};
}

RunFolder layDownRun(const std::string& path, const Plan& plan, std::size_t variant, const Program& program, const RunSettings& settings) {
  Plan one = plan;
  one.variants = {plan.variants[variant]};
  one.current = 0;
  one.runs.clear();
  RunFolder folder = createRunFolder(fs::absolute(path).lexically_normal().string());
  writePlan(one, folder.plan());
  writeProgram(program, folder.program());
  const double now = secondsNow();
  writeRunInfo(folder, {.pid = ::getpid(),
                        .host = hostName(),
                        .started = now,
                        .heartbeat = now,
                        .ranks = program.mesh.devices(),
                        .variant = one.variants[0].name,
                        .settings = settings});
  return folder;
}

FinishedEvent supervise(const RunFolder& folder, const Program& program, LaunchOptions launch, const SuperviseOptions& options) {
  launch.runFolder = folder.path;
  hearSignals();
  RunInfo info = readRunInfo(folder);
  FinishedEvent finished;
  pid_t child = 0;
  try {
    child = startChild(options.hosts.empty() ? localLaunch(launch) : hostLaunch(launch), folder.log());
    Watch watch(folder, options, child, info);
    finished = autopsy(folder, program, watch.untilAllGone());
  } catch (const Error& error) {
    if (child > 0) endNow(child);
    finished = {.state = RunState::failed, .message = error.text()};
  }
  info.state = finished.state;
  info.heartbeat = secondsNow();
  tell(folder, finished, options);
  writeRunInfo(folder, info);
  return finished;
}

}  // namespace core
