#include "executor/interpreter.h"

#include <cassert>
#include <chrono>
#include <cstring>
#include <map>
#include <unordered_map>

#include "executor/arena.h"
#include "executor/bound.h"
#include "executor/collectives/prepared.h"
#include "executor/kernels/fused.h"
#include "executor/kernels/kernel.h"
#include "executor/place.h"
#include "executor/scratch.h"
#include "executor/threads.h"

namespace executor {
namespace {

using core::BufferId;
using core::Instruction;
using core::InstructionKind;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// What an instruction needs on one rank, made when it is first met.
struct Prepared {
  std::unique_ptr<Kernel> kernel;
  std::vector<BufferId> inputs, outputs;  // as the kernel takes them
  PreparedPlace place;
  std::vector<PreparedCollective> collectives;
};

struct LocalRank {
  std::int64_t rank = 0;
  core::Coordinate at;
  Arena arena;
  std::vector<Held> held;
  Bound bound;
  Counted counted;
  std::unordered_map<const Instruction*, Prepared> prepared;
};

// A collective that has begun.
struct Pending {
  int ticket = 0;
  const Instruction* start = nullptr;
  std::vector<std::vector<std::vector<std::byte>>> scratch;  // by rank and pair
};

// As core::traceInstructions counts: in the first iteration, and how much further it is in each that follows.
struct Number {
  std::int32_t first = 0;
  std::int32_t each = 0;
};
using Numbers = std::unordered_map<const Instruction*, Number>;

std::int32_t numberInstructions(const std::vector<Instruction>& instructions, std::int32_t next, Numbers& numbers) {
  for (const Instruction& one : instructions) {
    numbers.emplace(&one, Number{next++, 0});
    const std::int32_t begin = next;
    next = numberInstructions(one.body, next, numbers);
    if (one.kind != InstructionKind::repeat) continue;
    const std::int32_t length = next - begin;
    for (const Instruction& inner : one.body) numbers.at(&inner).each = length;
    next = begin + length * static_cast<std::int32_t>(one.count);
  }
  return next;
}

// Ranks of one group make equal calls here, since the offsets are the same on all.
void joinNeighbours(std::vector<Call>& calls) {
  std::vector<Call> joined;
  for (Call& call : calls) {
    if (!joined.empty() && call.kind == Call::Kind::allReduce) {
      Call& last = joined.back();
      const std::int64_t bytes = last.count * core::byteSize(last.dtype);
      const bool follows = last.kind == call.kind && last.dtype == call.dtype && last.send + bytes == call.send && last.receive + bytes == call.receive;
      if (follows) {
        last.count += call.count;
        continue;
      }
    }
    joined.push_back(std::move(call));
  }
  calls = std::move(joined);
}

}  // namespace

struct Interpreter::State {
  const core::Program& program;
  CountingCommunicator communicator;
  InterpreterOptions options;
  Numbers numbers;
  std::vector<std::unique_ptr<LocalRank>> ranks;
  std::vector<BufferId> actual;  // what each buffer id stands for: itself, or in a repeat the iteration's own
  std::map<int, Pending> pending;
  ScratchPool scratch;
  std::int64_t stepNumber = 0;
  std::int32_t iteration = 0;
  std::span<const std::string> labels;  // of the repeat that is run
  bool stopWanted = false;
  StepResult result;

  State(const core::Program& program, Communicator& beneath, InterpreterOptions options) : program(program), communicator(beneath), options(options) {
    useThreads(options.threads);
    numberInstructions(program.instructions, 0, numbers);
    for (std::size_t i = 0; i < program.buffers.size(); ++i) actual.push_back(BufferId(static_cast<std::int64_t>(i)));
    for (std::int64_t rank : communicator.ranks()) {
      const core::Coordinate at = program.mesh.coordinate(rank);
      ranks.push_back(std::make_unique<LocalRank>(LocalRank{rank, at, Arena(program.arenaBytes), {}, Bound(program), {}, {}}));
      for (const core::Buffer& buffer : program.buffers) ranks.back()->held.push_back(heldOf(buffer, program.mesh, at));
      if (options.checking) poison(ranks.back()->arena.all());
    }
  }

  const core::Buffer& buffer(BufferId id) const { return program.buffers[actual[id.index()].index()]; }
  std::byte* data(LocalRank& local, BufferId id) {
    assert(buffer(id).offset >= 0 && "only a fused body's own buffers are outside the arena");
    return local.arena.at(buffer(id).offset);
  }

  Prepared prepare(const LocalRank& local, const Instruction& one) const {
    Prepared prepared{.inputs = one.inputs, .outputs = one.outputs};
    const auto at = [&](BufferId id) -> const core::Buffer& { return program.buffers[id.index()]; };
    switch (one.kind) {
      case InstructionKind::compute: prepared.kernel = prepareKernel(requestOf(program, one, local.at, options.threads)); break;
      case InstructionKind::fused: {
        FusedKernel fused = prepareFused(program, one, local.at, options.threads);
        prepared = {std::move(fused.kernel), fused.inputs, fused.outputs, {}, {}};
        break;
      }
      case InstructionKind::place: prepared.place = preparePlace(at(one.inputs[0]), at(one.outputs[0]), program.mesh, local.at); break;
      case InstructionKind::start:
        for (std::size_t i = 0; i < one.inputs.size(); ++i)
          prepared.collectives.push_back(executor::prepare(one.collective, at(one.inputs[i]), at(one.outputs[i]), program.mesh, local.rank));
        break;
      default: break;
    }
    return prepared;
  }

  Prepared& preparedOf(LocalRank& local, const Instruction& one) {
    const auto found = local.prepared.find(&one);
    if (found != local.prepared.end()) return found->second;
    return local.prepared.emplace(&one, prepare(local, one)).first->second;
  }

  void bindOutputs(LocalRank& local, const std::vector<BufferId>& outputs) {
    for (BufferId id : outputs) local.bound.bind(actual[id.index()]);
  }

  // --- what one rank does alone ---

  std::int64_t compute(LocalRank& local, const Instruction& one) {
    Prepared& prepared = preparedOf(local, one);
    std::vector<const std::byte*> inputs;
    std::vector<std::byte*> outputs;
    for (BufferId id : prepared.inputs) inputs.push_back(data(local, id));
    for (BufferId id : prepared.outputs) outputs.push_back(data(local, id));
    prepared.kernel->run(inputs, outputs, {.seed = options.seed, .step = static_cast<std::uint32_t>(stepNumber), .labels = labels, .iteration = static_cast<std::size_t>(iteration)});
    return prepared.kernel->flops();
  }

  void update(LocalRank& local, const Instruction& one) {
    const std::byte* from = data(local, one.inputs[0]);
    std::byte* to = data(local, one.outputs[0]);
    assert(buffer(one.inputs[0]).bytes == buffer(one.outputs[0]).bytes && "a state takes a value of its own shape");
    if (from != to) std::memmove(to, from, static_cast<std::size_t>(buffer(one.outputs[0]).bytes));
  }

  void release(LocalRank& local, const Instruction& one) {
    for (BufferId id : one.inputs) {
      if (!actual[id.index()].valid()) continue;  // freed in other iterations only
      const core::Buffer& freed = buffer(id);
      local.bound.release(actual[id.index()]);
      if (options.checking && freed.offset >= 0 && !local.bound.overlaps(freed.offset, freed.bytes))
        poison({local.arena.at(freed.offset), static_cast<std::size_t>(freed.bytes)});
    }
  }

  std::int64_t alone(LocalRank& local, const Instruction& one) {
    switch (one.kind) {
      case InstructionKind::compute:
      case InstructionKind::fused: return compute(local, one);
      case InstructionKind::place: run(preparedOf(local, one).place, data(local, one.inputs[0]), data(local, one.outputs[0])); return 0;
      case InstructionKind::update: update(local, one); return 0;
      case InstructionKind::free: release(local, one); return 0;
      default: assert(false && "the others are done together"); return 0;
    }
  }

  // --- what ranks do together ---

  void start(const Instruction& one, bool waitedAtOnce) {
    Pending& begun = pending[one.pair];
    begun = {.start = &one};
    std::vector<std::vector<Call>> calls(ranks.size());
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      Prepared& prepared = preparedOf(*ranks[i], one);
      auto& scratches = begun.scratch.emplace_back();
      for (std::size_t p = 0; p < prepared.collectives.size(); ++p) {
        const PreparedCollective& pair = prepared.collectives[p];
        scratches.push_back(scratch.take(pair.sendBytes + pair.receiveBytes));
        calls[i].push_back(begin(pair, data(*ranks[i], one.inputs[p]), data(*ranks[i], one.outputs[p]), scratches.back().data()));
      }
      joinNeighbours(calls[i]);
    }
    begun.ticket = communicator.start(calls, waitedAtOnce);
  }

  void wait(const Instruction& one) {
    const auto found = pending.find(one.pair);
    assert(found != pending.end() && "a wait comes after its start");
    Pending begun = std::move(found->second);
    pending.erase(found);
    communicator.wait(begun.ticket);
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      Prepared& prepared = preparedOf(*ranks[i], *begun.start);
      for (std::size_t p = 0; p < prepared.collectives.size(); ++p) {
        finish(prepared.collectives[p], data(*ranks[i], begun.start->inputs[p]), data(*ranks[i], begun.start->outputs[p]), begun.scratch[i][p].data());
        scratch.give(std::move(begun.scratch[i][p]));
      }
    }
  }

  // A rank adds its loss where it has a say: on coordinate 0 of every axis that the loss is not partial over.
  float lossOf(LocalRank& local, const Instruction& one) {
    if (one.inputs.empty()) return 0;
    const core::Buffer& loss = buffer(one.inputs[0]);
    for (core::AxisId axis = 0; axis < program.mesh.axes.size(); ++axis)
      if (!loss.placement.sharding.partial.contains(axis) && local.at[axis] != 0) return 0;
    if (loss.dtype == core::DType::f64) return static_cast<float>(*reinterpret_cast<const double*>(data(local, one.inputs[0])));
    return *reinterpret_cast<const float*>(data(local, one.inputs[0]));
  }

  void control(const Instruction& one) {
    std::vector<std::array<float, 2>> words(ranks.size());
    std::vector<std::vector<Call>> calls(ranks.size());
    core::AxisList everybody;
    for (core::AxisId axis = 0; axis < program.mesh.axes.size(); ++axis) everybody.push_back(axis);
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      words[i] = {lossOf(*ranks[i], one), stopWanted ? 1.0f : 0.0f};
      std::byte* bytes = reinterpret_cast<std::byte*>(words[i].data());
      calls[i] = {Call{.kind = Call::Kind::allReduce, .axes = everybody, .dtype = core::DType::f32, .send = bytes, .receive = bytes, .count = 2}};
    }
    communicator.wait(communicator.start(calls, true));
    if (!one.inputs.empty()) result.loss = words[0][0];
    result.stop = words[0][1] > 0;
  }

  // --- the walk ---

  using Snapshots = std::vector<std::vector<std::byte>>;

  Snapshots snapshots() {
    Snapshots copies;
    if (options.checking)
      for (auto& local : ranks) copies.emplace_back(local->arena.all().begin(), local->arena.all().end());
    return copies;
  }

  // An instruction's outputs; a wait's are its start's; what is freed may be poisoned.
  std::vector<BufferId> writable(const Instruction& one) const {
    std::vector<BufferId> ids = one.outputs;
    if (one.kind == InstructionKind::free) ids = one.inputs;
    std::erase_if(ids, [&](BufferId id) { return !actual[id.index()].valid(); });
    return ids;
  }

  void checkUntouched(const Snapshots& before, const Instruction& one, const std::vector<BufferId>& written) {
    for (std::size_t i = 0; i < before.size(); ++i) {
      std::vector<std::byte> expected = before[i];
      std::byte* now = ranks[i]->arena.at(0);
      for (BufferId id : written)
        if (buffer(id).offset >= 0) std::memcpy(expected.data() + buffer(id).offset, now + buffer(id).offset, static_cast<std::size_t>(buffer(id).bytes));
      if (!expected.empty() && std::memcmp(expected.data(), now, expected.size()) != 0)
        throw core::Error{.what = "bytes outside its outputs were changed on rank " + std::to_string(ranks[i]->rank), .where = one.name, .right = "an instruction writes its outputs only"};
    }
  }

  void together(const Instruction& one, bool waitedAtOnce) {
    if (one.kind == InstructionKind::start) start(one, waitedAtOnce);
    if (one.kind == InstructionKind::wait) wait(one);
    if (one.kind == InstructionKind::control) control(one);
  }

  bool isTogether(InstructionKind kind) const {
    return kind == InstructionKind::start || kind == InstructionKind::wait || kind == InstructionKind::control;
  }

  void announce(std::size_t i, std::int32_t number) {
    if (options.observer) options.observer->begin(i, number);
  }

  void record(std::size_t i, CountedInstruction done) {
    const Payload payload = communicator.take(i);
    done.bytesIn = payload.bytesIn;
    done.bytesOut = payload.bytesOut;
    done.end = now();
    ranks[i]->counted.instructions.push_back(done);
    if (options.observer) options.observer->end(i, done);
  }

  void execute(const Instruction& one, bool waitedAtOnce) {
    const Number& own = numbers.at(&one);
    const std::int32_t number = own.first + iteration * own.each;
    const Snapshots before = snapshots();
    const std::vector<BufferId> written = writable(one);
    CountedInstruction done{.instruction = number, .iteration = iteration, .start = now()};
    if (isTogether(one.kind)) {
      for (std::size_t i = 0; i < ranks.size(); ++i) {
        announce(i, number);
        bindOutputs(*ranks[i], one.outputs);
      }
      together(one, waitedAtOnce);
      for (std::size_t i = 0; i < ranks.size(); ++i) record(i, done);
    } else {
      for (std::size_t i = 0; i < ranks.size(); ++i) {
        announce(i, number);
        if (one.kind != InstructionKind::free) bindOutputs(*ranks[i], one.outputs);
        done.start = now();
        done.flops = alone(*ranks[i], one);
        record(i, done);
      }
    }
    checkUntouched(before, one, written);
  }

  void walk(const std::vector<Instruction>& instructions) {
    for (std::size_t i = 0; i < instructions.size(); ++i) {
      const Instruction& one = instructions[i];
      if (one.kind == InstructionKind::repeat) {
        repeat(one);
        continue;
      }
      try {
        execute(one, i + 1 < instructions.size() && instructions[i + 1].kind == InstructionKind::wait && instructions[i + 1].pair == one.pair);
      } catch (core::Error& error) {
        if (error.where.empty()) error.where = one.name;
        throw;
      }
    }
  }

  void repeat(const Instruction& one) {
    labels = one.labels;
    for (std::int64_t i = 0; i < one.count; ++i) {
      iteration = static_cast<std::int32_t>(i);
      for (const core::IterationView& view : one.views) actual[view.slot.index()] = view.perIteration[static_cast<std::size_t>(i)];
      walk(one.body);
    }
    for (const core::IterationView& view : one.views) actual[view.slot.index()] = view.slot;
    labels = {};
    iteration = 0;
  }
};

Interpreter::Interpreter(const core::Program& program, Communicator& communicator, InterpreterOptions options)
    : state_(std::make_unique<State>(program, communicator, options)) {}
Interpreter::~Interpreter() = default;

std::size_t Interpreter::localRanks() const { return state_->ranks.size(); }
std::int64_t Interpreter::rank(std::size_t local) const { return state_->ranks[local]->rank; }
std::byte* Interpreter::data(std::size_t local, BufferId buffer) { return state_->data(*state_->ranks[local], buffer); }
const Held& Interpreter::held(std::size_t local, BufferId buffer) const { return state_->ranks[local]->held[buffer.index()]; }
const Counted& Interpreter::counted(std::size_t local) const { return state_->ranks[local]->counted; }

StepResult Interpreter::step(std::int64_t number, bool stopWanted) {
  state_->stepNumber = number;
  state_->stopWanted = stopWanted;
  state_->result = {};
  for (auto& local : state_->ranks) {
    local->counted = {};
    local->bound.reset();
  }
  state_->walk(state_->program.instructions);
  assert(state_->pending.empty() && "every start has its wait");
  for (auto& local : state_->ranks) {
    local->counted.peak = local->bound.peak();
    local->counted.runtimeBytes = state_->scratch.bytes();
    for (const auto& [instruction, prepared] : local->prepared)
      if (prepared.kernel) local->counted.runtimeBytes += prepared.kernel->scratchBytes();
  }
  return state_->result;
}

}  // namespace executor
