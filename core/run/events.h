#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// What a run says: one event a line of events.ndjson, written by rank 0; the last one by whoever started the run.
//
//   {"event":"started","ranks":4,"mesh":"data:2,model:2","firstStep":1,"steps":50,"time":1764500000.25}
//   {"event":"step","step":1,"loss":5.545,"seconds":0.021}
//   {"event":"spans","step":1,"kinds":[{"kind":"compute","calls":212,"seconds":0.017,"bytesIn":0,"bytesOut":0,"flops":90211}]}
//   {"event":"checkpoint","step":25,"path":"checkpoints/step-25"}
//   {"event":"finished","state":"failed","rank":2,"step":31,"instruction":"all-reduce h.0/attn","message":"..."}

namespace core {

struct StartedEvent {
  std::int64_t ranks = 1;
  std::string mesh;            // as print(Mesh) gives it
  std::int64_t firstStep = 1;  // above 1 when it goes on from a checkpoint
  std::int64_t steps = 1;      // the last step's number is firstStep + steps - 1
  double time = 0;             // seconds since 1970, of rank 0
  bool operator==(const StartedEvent&) const = default;
};

struct StepEvent {
  std::int64_t step = 0;       // from 1
  std::optional<double> loss;  // none without training; may be a NaN or an infinity, which stand as "nan", "inf", "-inf"
  double seconds = 0;          // of this step on rank 0
  bool operator==(const StepEvent&) const = default;
};

// What rank 0 did in one step, by kind of instruction; all its spans are in the trace.
struct KindDigest {
  std::string kind;  // as toString(InstructionKind) gives it
  std::int64_t calls = 0;
  double seconds = 0;
  std::int64_t bytesIn = 0;
  std::int64_t bytesOut = 0;
  std::int64_t flops = 0;
  bool operator==(const KindDigest&) const = default;
};

struct SpansEvent {
  std::int64_t step = 0;
  std::vector<KindDigest> kinds;
  bool operator==(const SpansEvent&) const = default;
};

struct CheckpointEvent {
  std::int64_t step = 0;
  std::string path;  // relative to the run folder
  bool operator==(const CheckpointEvent&) const = default;
};

enum class RunState : std::uint8_t { running, done, stopped, failed };
std::string_view toString(RunState state);

// Rank, step and instruction stand where it failed; `message` says why, in a sentence.
struct FinishedEvent {
  RunState state = RunState::done;
  std::optional<std::int64_t> rank;
  std::optional<std::int64_t> step;
  std::string instruction;
  std::string message;
  bool operator==(const FinishedEvent&) const = default;
};

using Event = std::variant<StartedEvent, StepEvent, SpansEvent, CheckpointEvent, FinishedEvent>;

std::string toLine(const Event& event);                                   // one line of JSON, without the newline
Event parseEvent(std::string_view line, const std::string& where);        // Error when it is not one of the above

// Tails a file of events: each call gives the events of the whole lines that have come since; a line that is still
// being written waits. The file may not exist yet. A broken whole line throws an Error with its number, once.
class EventReader {
 public:
  explicit EventReader(std::string path) : path_(std::move(path)) {}
  std::vector<Event> poll();

 private:
  std::string path_;
  std::int64_t offset_ = 0;
  std::int64_t line_ = 0;
};

// Appends lines to a file, each whole and at once.
class EventWriter {
 public:
  explicit EventWriter(const std::string& path);  // appends; a last line that was cut is dropped first
  ~EventWriter();
  EventWriter(const EventWriter&) = delete;
  EventWriter& operator=(const EventWriter&) = delete;
  void write(const Event& event);

 private:
  std::string path_;
  int file_ = -1;
};

}  // namespace core
