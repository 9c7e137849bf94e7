#include "core/run/autopsy.h"

#include <fmt/format.h>

#include <filesystem>

#include "core/base/text.h"
#include "core/io/file.h"
#include "core/run/trace.h"
#include "core/run/where.h"

namespace core {
namespace {

namespace fs = std::filesystem;

std::string readOrEmpty(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return {};
  return std::string(trim(readText(path)));
}

// The rank that gave up first by an error of its own.
std::optional<std::int64_t> rankWithError(const RunFolder& folder, std::int64_t ranks) {
  std::optional<std::int64_t> first;
  fs::file_time_type earliest;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    std::error_code error;
    const auto time = fs::last_write_time(folder.error(rank), error);
    if (!error && (!first || time < earliest)) first = rank, earliest = time;
  }
  return first;
}

// mpirun's own words: "mpirun noticed that process rank 1 with PID 0 on node a exited on signal 9 (Killed)."
std::optional<std::int64_t> rankInLog(const std::string& log, std::int64_t ranks) {
  constexpr std::string_view words = "process rank ";
  const std::size_t at = log.find(words);
  if (at == std::string::npos) return std::nullopt;
  const std::size_t end = log.find_first_not_of("0123456789", at + words.size());
  const auto rank = parseInteger(std::string_view(log).substr(at + words.size(), end - at - words.size()));
  return rank && *rank < ranks ? rank : std::nullopt;
}

std::string signalInLog(const std::string& log) {
  constexpr std::string_view words = "exited on signal ";
  const std::size_t at = log.find(words);
  if (at == std::string::npos) return {};
  return "ended by signal " + log.substr(at + words.size(), log.find_first_of(".\n", at) - at - words.size());
}

std::string lastLines(const std::string& log, std::size_t lines) {
  std::size_t begin = log.size();
  for (std::size_t i = 0; i < lines && begin != 0 && begin != std::string::npos; ++i) begin = log.rfind('\n', begin - 1);
  return std::string(trim(begin == std::string::npos ? log : log.substr(begin)));
}

std::string tailOfLog(const RunFolder& folder) {
  try {
    return readOrEmpty(folder.log());
  } catch (const Error&) {
    return {};  // too large to look at; what it says is not needed to say who died
  }
}

void setPlace(FinishedEvent& event, const RunFolder& folder, const Program& program) {
  const auto where = readWhere(folder.where(*event.rank));
  if (!where) return;
  event.step = where->step;
  const auto instructions = traceInstructions(program);
  if (where->instruction >= 0 && where->instruction < static_cast<std::int64_t>(instructions.size()))
    event.instruction = instructions[static_cast<std::size_t>(where->instruction)].name;
}

FinishedEvent failed(const RunFolder& folder, const Program& program, const RunEnd& end) {
  const std::string log = tailOfLog(folder);
  FinishedEvent event{.state = RunState::failed};
  const auto withError = rankWithError(folder, end.ranks);
  event.rank = withError ? withError : end.deadRank ? end.deadRank : rankInLog(log, end.ranks);
  if (event.rank) setPlace(event, folder, program);
  if (withError) event.message = readOrEmpty(folder.error(*withError));
  if (event.message.empty()) event.message = signalInLog(log);
  if (event.message.empty() && event.rank) event.message = fmt::format("it ended before its time; mpirun: {}", describe(end.exit));
  if (event.message.empty() && end.exit.code == 0)
    event.message = fmt::format("the ranks ended after step {} of {} without a word", end.lastStep, end.plannedStep);
  if (event.message.empty()) event.message = fmt::format("mpirun: {}; the log ends with: {}", describe(end.exit), lastLines(log, 5));
  return event;
}

}  // namespace

FinishedEvent autopsy(const RunFolder& folder, const Program& program, const RunEnd& end) {
  std::error_code ignored;
  const bool stopAsked = fs::exists(folder.stop(), ignored);
  if (end.killed) return {.state = RunState::stopped, .step = end.lastStep, .message = "ended at once, as asked"};
  // mpirun returns 0 only when every rank came to its end.
  if (end.exit.code == 0 && end.lastStep >= end.plannedStep) return {.state = RunState::done, .step = end.lastStep};
  if (end.exit.code == 0 && !end.deadRank && stopAsked) return {.state = RunState::stopped, .step = end.lastStep, .message = "stopped after the step, as asked"};
  return failed(folder, program, end);
}

}  // namespace core
