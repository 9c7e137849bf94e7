#include "executor/rank.h"

#include <sys/resource.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>

#include "core/run/events.h"
#include "core/run/trace.h"
#include "core/run/where.h"
#include "executor/checkpoint.h"
#include "executor/data/batches.h"
#include "executor/interpreter.h"
#include "executor/states.h"

namespace executor {
namespace {

double steadyNow() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// What the process holds beside the arena: libraries, MPI's buffers, scratch.
std::int64_t runtimeBytes(const core::Program& program) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return std::max<std::int64_t>(0, static_cast<std::int64_t>(usage.ru_maxrss) * 1024 - program.arenaBytes);
}

// Tells the mapped file where the rank is, and the trace what it did.
class Recorder final : public Observer {
 public:
  Recorder(const core::Program& program, const core::RunFolder& folder, std::int64_t rank)
      : instructions_(core::traceInstructions(program)),
        where_(folder.where(rank)),
        zero_(steadyNow()),
        trace_(folder.trace(rank), static_cast<std::int32_t>(rank), program.mesh.devices(), core::secondsNow(), instructions_),
        rank_(static_cast<std::int32_t>(rank)) {}

  void begin(std::size_t, std::int64_t instruction) override { where_.at(step_, instruction); }

  void end(std::size_t, const CountedInstruction& done) override {
    const core::InstructionKind kind = instructions_[static_cast<std::size_t>(done.instruction)].kind;
    if (kind == core::InstructionKind::free) return;
    trace_.write(core::Span{.rank = rank_, .instruction = done.instruction, .iteration = done.iteration, .step = step_, .start = done.start - zero_, .end = done.end - zero_,
                            .bytesIn = done.bytesIn, .bytesOut = done.bytesOut, .flops = done.flops});
    core::KindDigest& digest = digests_[kind];
    digest.kind = core::toString(kind);
    digest.calls += 1;
    digest.seconds += done.end - done.start;
    digest.bytesIn += done.bytesIn;
    digest.bytesOut += done.bytesOut;
    digest.flops += done.flops;
  }

  void beginStep(std::int64_t step) {
    step_ = step;
    digests_.clear();
    where_.at(step, -1);
  }

  core::SpansEvent endStep(const Counted& counted, std::int64_t runtime) {
    trace_.write(core::MemoryCount{.rank = rank_, .step = step_, .bytes = counted.peak, .runtime = runtime});
    trace_.flush();
    core::SpansEvent event{.step = step_, .kinds = {}};
    for (const auto& [kind, digest] : digests_) event.kinds.push_back(digest);
    return event;
  }

  void finished() { where_.finished(); }

 private:
  std::vector<core::TraceInstruction> instructions_;
  core::WhereWriter where_;
  double zero_;
  core::TraceWriter trace_;
  std::int32_t rank_;
  std::int64_t step_ = 0;
  std::map<core::InstructionKind, core::KindDigest> digests_;
};

// Rank 0's voice; silent on the others.
class Voice {
 public:
  Voice(const core::RunFolder& folder, std::int64_t rank) {
    if (rank == 0) writer_.emplace(folder.events());
  }
  void say(const core::Event& event) {
    if (writer_) writer_->write(event);
  }

 private:
  std::optional<core::EventWriter> writer_;
};

void refuseWrong(const core::Program& program, const core::RunFolder& folder) {
  for (const core::Diagnostic& one : core::verify(program))
    if (one.severity == core::Diagnostic::Severity::error) throw core::Error{.what = one.what, .where = folder.program() + ": " + one.where, .right = one.right};
}

bool wantsCheckpoint(const core::RunSettings& settings, std::int64_t step, bool last) {
  if (settings.inference) return false;
  return last || (settings.checkpointEvery > 0 && step % settings.checkpointEvery == 0);
}

}  // namespace

void runRank(const core::Program& program, Communicator& communicator, const core::RunFolder& folder) {
  refuseWrong(program, folder);
  const core::RunSettings settings = core::readRunInfo(folder).settings;
  const std::int64_t rank = communicator.ranks().front();
  Recorder recorder(program, folder, rank);
  Interpreter interpreter(program, communicator, {.seed = settings.seed, .threads = static_cast<int>(settings.threads), .observer = &recorder});
  loadStates(interpreter, program, settings.seed, folder.path);
  std::int64_t done = 0;
  if (!settings.from.empty()) done = loadCheckpoint(interpreter, program, findCheckpoint(settings.from));
  const std::unique_ptr<Batches> batches = makeBatches(program, settings.data, settings.seed);
  const std::vector<Input> inputs = inputsOf(program);
  Voice voice(folder, rank);
  voice.say(core::StartedEvent{.ranks = program.mesh.devices(), .mesh = core::print(program.mesh), .firstStep = done + 1, .steps = settings.steps, .time = core::secondsNow()});

  const std::int64_t last = done + settings.steps;
  for (std::int64_t step = done + 1; step <= last; ++step) {
    recorder.beginStep(step);
    const double begun = steadyNow();
    feed(*batches, program, inputs, step, interpreter);
    const StepResult result = interpreter.step(step, rank == 0 && std::filesystem::exists(folder.stop()));
    voice.say(core::StepEvent{.step = step, .loss = result.loss, .seconds = steadyNow() - begun});
    voice.say(recorder.endStep(interpreter.counted(0), runtimeBytes(program)));
    if (wantsCheckpoint(settings, step, step == last || result.stop)) {
      const std::string name = writeCheckpoint(interpreter, program, communicator, folder.checkpoints(), step);
      voice.say(core::CheckpointEvent{.step = step, .path = "checkpoints/" + name});
    }
    if (result.stop) break;
  }
  recorder.finished();
}

}  // namespace executor
