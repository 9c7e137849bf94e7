#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/spmd/program.h"
#include "executor/interpreter.h"
#include "executor/tensor.h"

namespace executor {

struct ClusterOptions {
  std::uint64_t seed = 0;
  int threads = 1;            // of a rank
  bool checking = false;      // see InterpreterOptions
  std::string folder;         // that relative paths of state files are below
  bool loadsStates = true;    // from the program's sources; else they are given by set()
};

// A program on all ranks of its mesh, in this process.
//
//   LocalCluster cluster(program, {.checking = true});
//   cluster.set("x", Tensor::of(core::DType::f32, {8, 4}, numbers));
//   StepResult result = cluster.step();
//   Tensor y = cluster.get(program.outputs[0]);
class LocalCluster {
 public:
  explicit LocalCluster(const core::Program& program, ClusterOptions options = {});  // the program must outlive it
  explicit LocalCluster(core::Program&&, ClusterOptions = {}) = delete;
  ~LocalCluster();

  // An input, state or constant; every rank takes its part. By name: Error listing the inputs when there is none.
  void set(core::BufferId buffer, const Tensor& whole);
  void set(const std::string& name, const Tensor& whole);
  // Gathered over the ranks, partial results reduced. After a step, only of what outlives it: states, inputs, outputs.
  Tensor get(core::BufferId buffer);
  Tensor get(const std::string& name);
  // The block of one rank, padding included.
  std::byte* block(std::int64_t rank, core::BufferId buffer);

  StepResult step();  // numbers from 1
  const Counted& counted(std::int64_t rank) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace executor
