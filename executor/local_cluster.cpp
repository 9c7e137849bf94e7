#include "executor/local_cluster.h"

#include "core/base/error.h"
#include "executor/collectives/in_process.h"
#include "executor/states.h"

namespace executor {

struct LocalCluster::State {
  const core::Program& program;
  InProcessCommunicator communicator;
  Interpreter interpreter;
  std::int64_t steps = 0;

  State(const core::Program& program, const ClusterOptions& options)
      : program(program),
        communicator(program.mesh),
        interpreter(program, communicator, {.seed = options.seed, .threads = options.threads, .checking = options.checking}) {}
};

namespace {

core::BufferId find(const core::Program& program, const std::string& name) {
  std::string inputs;
  for (core::BufferId id : program.inputs) {
    const std::string& one = program.buffers[id.index()].name;
    if (one == name) return id;
    inputs += (inputs.empty() ? "" : ", ") + one;
  }
  for (const auto* list : {&program.states, &program.outputs})
    for (core::BufferId id : *list)
      if (program.buffers[id.index()].name == name) return id;
  throw core::Error{.what = "the program has no input \"" + name + "\"", .where = "", .right = "its inputs are " + inputs};
}

}  // namespace

LocalCluster::LocalCluster(const core::Program& program, ClusterOptions options) : state_(std::make_unique<State>(program, options)) {
  if (options.loadsStates) loadStates(state_->interpreter, program, options.seed, options.folder);
}

LocalCluster::~LocalCluster() = default;

void LocalCluster::set(core::BufferId buffer, const Tensor& whole) {
  const core::Program& program = state_->program;
  for (std::int64_t rank = 0; rank < program.mesh.devices(); ++rank) scatter(whole, program.buffers[buffer.index()], program.mesh, rank, block(rank, buffer));
}

void LocalCluster::set(const std::string& name, const Tensor& whole) { set(find(state_->program, name), whole); }

Tensor LocalCluster::get(core::BufferId buffer) {
  const core::Program& program = state_->program;
  std::vector<const std::byte*> blocks;
  for (std::int64_t rank = 0; rank < program.mesh.devices(); ++rank) blocks.push_back(block(rank, buffer));
  return gather(program.buffers[buffer.index()], program.mesh, blocks);
}

Tensor LocalCluster::get(const std::string& name) { return get(find(state_->program, name)); }

std::byte* LocalCluster::block(std::int64_t rank, core::BufferId buffer) { return state_->interpreter.data(static_cast<std::size_t>(rank), buffer); }

StepResult LocalCluster::step() { return state_->interpreter.step(++state_->steps); }

const Counted& LocalCluster::counted(std::int64_t rank) const { return state_->interpreter.counted(static_cast<std::size_t>(rank)); }

}  // namespace executor
