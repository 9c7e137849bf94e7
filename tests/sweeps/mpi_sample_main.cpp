// A sample of the sweeps over MPI, one rank a process: every rank runs each program through MPI and, beside it, all ranks of the same program
// in lockstep in its own process; what it holds at the end and what it counted have to be the same. The sweeps hold the latter against the evaluator.
//
//   mpirun -n 4 mpi_sample data:2,model:2
//
// Prints how many cases of each kind there were; says what differed on which rank, and fails.

#include <fmt/format.h>
#include <mpi.h>

#include <cmath>
#include <cstring>

#include "core/io/import.h"
#include "core/ops/expand.h"
#include "core/ops/op.h"
#include "core/plan/analyze.h"
#include "core/spmd/partition.h"
#include "core/tdl/element.h"
#include "executor/collectives/in_process.h"
#include "executor/collectives/mpi_communicator.h"
#include "executor/data/batches.h"
#include "executor/interpreter.h"
#include "executor/local_cluster.h"
#include "executor/states.h"
#include "tests/executor/movement.h"
#include "tests/support/graph_values.h"
#include "tests/support/random.h"

namespace {

using namespace core;

constexpr int pairs = 120;
constexpr int trainingSteps = 50;
const std::string sources = MESHWRIGHT_SOURCE;

struct Sample {
  executor::MpiCommunicator& communicator;
  std::int64_t rank;
  std::int64_t cases = 0, wrong = 0, collectives = 0;

  void say(const std::string& name, const std::string& what) {
    ++wrong;
    std::fprintf(stderr, "rank %lld: %s: %s\n", static_cast<long long>(rank), name.c_str(), what.c_str());
  }

  // What this rank counted is what the rank of this number counted in lockstep.
  void compareCounted(const std::string& name, const executor::Counted& over, const executor::Counted& beside) {
    if (over.instructions.size() != beside.instructions.size()) return say(name, "carries out another number of instructions");
    for (std::size_t i = 0; i < over.instructions.size(); ++i) {
      const auto &a = over.instructions[i], &b = beside.instructions[i];
      if (a.instruction != b.instruction || a.flops != b.flops || a.bytesIn != b.bytesIn || a.bytesOut != b.bytesOut) return say(name, fmt::format("instruction {} counts otherwise", a.instruction));
    }
    if (over.peak != beside.peak) say(name, "its memory peaks otherwise");
  }

  // Sums may be taken in another order.
  void compareBlocks(const std::string& name, const Program& program, BufferId id, const std::byte* over, const std::byte* beside) {
    const Buffer& buffer = program.buffers[id.index()];
    std::int64_t different = 0;
    movement::forEach(buffer, program.mesh, program.mesh.coordinate(rank), [&](std::int64_t, std::int64_t at) {
      const double a = loadElement(over, at, buffer.dtype), b = loadElement(beside, at, buffer.dtype);
      const double limit = buffer.dtype == DType::f64 ? 1e-12 : buffer.dtype == DType::f32 ? 1e-5 : 0;
      if (!(std::abs(a - b) <= limit * std::max(1.0, std::abs(b))) && !(std::isnan(a) && std::isnan(b)) && a != b) ++different;
    });
    if (different > 0) say(name, fmt::format("{} elements of {} differ", different, buffer.name));
  }

  template <class Fill>
  void check(const std::string& name, const Program& program, const Fill& fill) {
    ++cases;
    for (const Instruction& one : program.instructions) collectives += one.kind == InstructionKind::start;
    executor::Interpreter interpreter(program, communicator, {.checking = true});
    executor::InProcessCommunicator beneath(program.mesh);
    executor::Interpreter lockstep(program, beneath, {.checking = true});
    for (executor::Interpreter* one : {&interpreter, &lockstep}) {
      executor::loadStates(*one, program, 0, sources);
      for (std::size_t local = 0; local < one->localRanks(); ++local) fill(*one, local);
      one->step(1);
    }
    for (BufferId output : program.outputs) compareBlocks(name, program, output, interpreter.data(0, output), lockstep.data(static_cast<std::size_t>(rank), output));
    compareCounted(name, interpreter.counted(0), lockstep.counted(static_cast<std::size_t>(rank)));
  }

  void move(const std::string& name, const Program& program) {
    check(name, program, [&](executor::Interpreter& one, std::size_t local) {
      movement::fill(program.buffers[0], program.mesh, program.mesh.coordinate(one.rank(local)), one.data(local, program.inputs[0]));
    });
  }
};

// Random pairs of shardings, partial sums and sizes that do not divide among them; and reshapes that move what is split.
void redistributions(Sample& sample, const Mesh& mesh) {
  tests::Random random("mpi/redistribution");
  const std::vector<movement::Sizes> shapes{{12}, {7}, {8, 6}, {5, 7}, {4, 6, 2}, {3, 5, 2, 4}};
  for (int i = 0; i < pairs; ++i) {
    const movement::Sizes& shape = random.pick(shapes);
    const auto all = movement::allShardings(shape.size(), mesh, true);
    sample.move(fmt::format("redistribution {}", i), movement::resharding(mesh, shape, {random.pick(all), {}}, {random.pick(all), {}}));
  }
  const std::vector<movement::Sizes> sixteen{{16}, {2, 8}, {4, 4}, {8, 2}, {2, 2, 4}, {2, 4, 2}, {4, 2, 2}};
  for (int i = 0; i < pairs; ++i) {
    const movement::Sizes &from = random.pick(sixteen), &to = random.pick(sixteen);
    const Placement have{random.pick(movement::allShardings(from.size(), mesh, false)), {}}, need{random.pick(movement::allShardings(to.size(), mesh, false)), {}};
    sample.move(fmt::format("reshape {}", i), movement::single(mesh, from, have, to, need, {.kind = CollectiveKind::redistribute, .axes = movement::everyAxis(mesh)}));
  }
}

// Each operator's first example under a random layout that is legal: every axis on a dimension or on none.
void operators(Sample& sample, const Mesh& mesh) {
  for (const Op* op : allOps()) {
    tests::Random random("mpi/" + std::string(op->name));
    const Graph graph = expand(tests::inDoublePrecision(op->examples().front()));
    Layout layout;
    for (int attempt = 0; attempt < 20; ++attempt) {
      Layout tried;
      for (const MeshAxis& axis : mesh.axes)
        if (!graph.dims.empty() && random.chance(0.8)) tried.rules.push_back({random.pick(graph.dims).name, {axis.name}});
      const bool twice = tried.rules.size() > 1 && tried.rules[0].dimension == tried.rules[1].dimension;
      if (twice || hasErrors(core::check(tried, graph, mesh)) || (tried.rules.empty() && attempt < 19)) continue;
      layout = tried;
      break;
    }
    const std::map<TensorId, Array> inputs = tests::randomInputs(random, graph);
    const Program program = partition(graph, layout, mesh, {.byAxisBytes = 0}).program;
    sample.check(std::string(op->name) + " under " + printMeshTensorflow(layout), program, [&](executor::Interpreter& one, std::size_t local) {
      for (std::size_t b = 0; b < program.buffers.size(); ++b) {
        const Buffer& buffer = program.buffers[b];
        const auto given = buffer.persistent && buffer.tensor.valid() ? inputs.find(buffer.tensor) : inputs.end();
        if (given == inputs.end()) continue;
        const auto whole = executor::Tensor::of(buffer.dtype, given->second.sizes, given->second.values);
        executor::scatter(whole, buffer, program.mesh, one.rank(local), one.data(local, BufferId(static_cast<std::int64_t>(b))));
      }
    });
  }
}

std::shared_ptr<const Program> trainingProgram(const Mesh& mesh, const std::string& layout) {
  auto plan = std::make_shared<Plan>();
  plan->graph = importModel(sources + "/samples/models/gpt_bytes.onnx", {}).graph;
  Variant variant{.name = "A", .mesh = mesh, .layout = Layout::of(layout)};
  variant.step.training = true;
  plan->variants.push_back(variant);
  return analyze(plan, 0).program;
}

std::vector<double> losses(const Program& program, executor::Communicator& communicator) {
  executor::Interpreter interpreter(program, communicator, {});
  executor::loadStates(interpreter, program, 0, sources + "/samples/models");
  const auto batches = executor::makeText(program, sources + "/LICENSE", 0);
  const std::vector<executor::Input> inputs = executor::inputsOf(program);
  std::vector<double> found;
  for (int step = 1; step <= trainingSteps; ++step) {
    executor::feed(*batches, program, inputs, step, interpreter);
    found.push_back(*interpreter.step(step).loss);
  }
  return found;
}

std::vector<double> lossesAlone(std::int64_t rank) {
  std::vector<double> found(trainingSteps);
  if (rank == 0) {
    const auto program = trainingProgram(Mesh::of(""), "");
    executor::InProcessCommunicator communicator(program->mesh);
    found = losses(*program, communicator);
  }
  MPI_Bcast(found.data(), trainingSteps, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return found;
}

// gpt_bytes on text: the losses are those of one device, and they fall.
void training(Sample& sample, const Mesh& mesh, const std::vector<std::string>& layouts) {
  const std::vector<double> alone = lossesAlone(sample.rank);
  for (const std::string& layout : layouts) {
    ++sample.cases;
    const auto program = trainingProgram(mesh, layout);
    if (!program) {
      sample.say(layout, "is not legal");
      continue;
    }
    const std::vector<double> found = losses(*program, sample.communicator);
    double worst = 0;
    for (int i = 0; i < trainingSteps; ++i) worst = std::max(worst, std::abs(found[i] - alone[i]) / std::abs(alone[i]));
    if (!(worst <= 1e-4)) sample.say(layout, fmt::format("the loss is off by {:.2g}", worst));
    if (!(found.back() < 0.8 * found.front())) sample.say(layout, "the loss does not fall");
    if (sample.rank == 0) std::printf("%s on %s: loss %.4f -> %.4f in %d steps, at most %.2g from one device\n", layout.c_str(), print(mesh).c_str(), found.front(), found.back(), trainingSteps, worst);
  }
}

// Data-, tensor-, 2-D and sequence-split, as far as the mesh has axes for them.
std::vector<std::string> layoutsOf(const Mesh& mesh) {
  if (mesh.axes.size() == 1) return {"batch:data", "heads:data;ffn:data;vocab:data", "seq:data"};
  if (mesh.axes.size() == 2) return {"batch:data;heads:model;ffn:model", "seq:data;heads:model;ffn:model", "batch:data;batch:model"};
  return {"batch:data;heads:model;ffn:model;seq:seq"};
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  std::int64_t wrong = 0;
  try {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const Mesh mesh = Mesh::of(argc > 1 ? argv[1] : "");
    executor::MpiCommunicator communicator(mesh);
    const auto part = [&](const char* kind, auto&& run) {
      Sample sample{communicator, rank};
      run(sample);
      if (rank == 0) std::printf("%s on %s: %lld cases, %lld collectives\n", kind, print(mesh).c_str(), static_cast<long long>(sample.cases), static_cast<long long>(sample.collectives));
      wrong += sample.wrong;
    };
    part("redistribution", [&](Sample& sample) { redistributions(sample, mesh); });
    part("operators", [&](Sample& sample) { operators(sample, mesh); });
    part("training", [&](Sample& sample) { training(sample, mesh, layoutsOf(mesh)); });
  } catch (const core::Error& error) {
    std::fprintf(stderr, "%s\n", error.text().c_str());
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
