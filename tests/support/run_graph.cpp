#include "tests/support/run_graph.h"

#include "core/cost/price.h"
#include "core/spmd/walk.h"
#include "core/run/trace.h"
#include "executor/local_cluster.h"

namespace tests {

using namespace core;

namespace {

template <class Visit>
void eachCollective(const Program& program, Visit&& visit) {
  walk(program, [&](const Instruction& one, std::int64_t, const Views&) {
    if (one.kind == InstructionKind::start) visit(one);
  });
}

}  // namespace

Counted countedOf(const Program& program, const executor::LocalCluster& cluster) {
  const std::vector<TraceInstruction> names = traceInstructions(program);
  Counted counted;
  for (std::int64_t rank = 0; rank < program.mesh.devices(); ++rank) {
    const executor::Counted& own = cluster.counted(rank);
    CountedRank made{.rank = rank, .peak = MemoryAt{own.peak}, .runtimeBytes = own.runtimeBytes};
    for (const executor::CountedInstruction& one : own.instructions) {
      const TraceInstruction& of = names[static_cast<std::size_t>(one.instruction)];
      if (of.kind == InstructionKind::free) continue;
      made.instructions.push_back(
          {of.name, one.iteration, 1, one.flops, one.bytesIn, one.bytesOut, one.end - one.start});
    }
    counted.ranks.push_back(std::move(made));
  }
  return counted;
}

GraphRun runGraph(const Graph& graph, const Layout& layout, const Mesh& mesh, const std::map<TensorId, Array>& inputs,
                  const PartitionOptions& options) {
  Partitioned partitioned = partition(graph, layout, mesh, options);
  GraphRun run{.program = std::move(partitioned.program), .layouts = std::move(partitioned.layouts)};
  for (const Diagnostic& one : verify(run.program)) run.wrong.push_back(one.text());
  if (!run.wrong.empty()) return run;
  executor::LocalCluster cluster(run.program, {.checking = true});
  for (const auto& [tensor, values] : inputs)
    cluster.set(graph[tensor].name, executor::Tensor::of(graph[tensor].dtype, values.sizes, values.values));
  cluster.step();
  for (BufferId output : run.program.outputs) {
    const executor::Tensor whole = cluster.get(output);
    run.outputs.push_back({whole.sizes, whole.values()});
  }
  run.compared = compare(run.program, nullptr, countedOf(run.program, cluster));
  if (!run.compared.exact) run.wrong = run.compared.differences;
  if (!run.compared.exact && run.wrong.empty()) run.wrong.push_back("predicted and counted differ");
  return run;
}

std::int64_t payload(const Program& program, CollectiveKind kind) {
  std::int64_t bytes = 0;
  const Coordinate first = program.mesh.coordinate(0);
  eachCollective(program, [&](const Instruction& one) {
    if (one.collective.kind == kind) bytes += price(program, one, first, nullptr).bytesIn;
  });
  return bytes;
}

int count(const Program& program, CollectiveKind kind) {
  int found = 0;
  eachCollective(program, [&](const Instruction& one) { found += one.collective.kind == kind; });
  return found;
}

int collectives(const Program& program) {
  int found = 0;
  eachCollective(program, [&](const Instruction&) { ++found; });
  return found;
}

}  // namespace tests
