#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/spmd/program.h"
#include "executor/collectives/collectives.h"
#include "executor/counted.h"
#include "executor/held.h"

namespace executor {

// Who wants to know where a rank is. `local` counts the ranks of this process.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void begin(std::size_t local, std::int64_t instruction) = 0;
  virtual void end(std::size_t local, const CountedInstruction& done) = 0;
};

struct InterpreterOptions {
  std::uint64_t seed = 0;
  int threads = 1;             // of one rank
  // For tests: what is freed is poisoned, and an instruction that changes bytes outside its outputs is an Error that names it.
  bool checking = false;
  Observer* observer = nullptr;
};

struct StepResult {
  std::optional<double> loss;  // of a program that has one
  bool stop = false;           // some rank wanted to
};

// Walks a program for the ranks that live in this process: one under MPI, all of them in lockstep otherwise.
//
//   InProcessCommunicator beneath(program.mesh);
//   Interpreter interpreter(program, beneath, {});
//   write states and inputs into interpreter.data(rank, buffer) ...
//   StepResult result = interpreter.step(1);
class Interpreter {
 public:
  Interpreter(const core::Program& program, Communicator& communicator, InterpreterOptions options);
  ~Interpreter();

  std::size_t localRanks() const;
  std::int64_t rank(std::size_t local) const;
  std::byte* data(std::size_t local, core::BufferId buffer);
  const Held& held(std::size_t local, core::BufferId buffer) const;

  StepResult step(std::int64_t number, bool stopWanted = false);
  const Counted& counted(std::size_t local) const;  // of the last step

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace executor
