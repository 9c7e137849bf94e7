// The table of collectives over MPI, one rank a process; every rank prints what it got wrong, and the exit code says whether any did.
//
//   mpirun -n 4 mpi_collectives a:2,b:2

#include <mpi.h>

#include <cstdio>

#include "executor/collectives/mpi_communicator.h"
#include "executor/interpreter.h"
#include "tests/executor/movement.h"

namespace {

// With something between a start and its wait the calls do not block.
core::Program overlapping(core::Program program) {
  program.instructions.insert(program.instructions.begin() + 1, {.kind = core::InstructionKind::free, .name = "between"});
  return program;
}

std::int64_t wrongHere(const core::Program& program, executor::Communicator& communicator) {
  executor::Interpreter interpreter(program, communicator, {.checking = true});
  const core::Coordinate at = program.mesh.coordinate(interpreter.rank(0));
  movement::fill(program.buffers[0], program.mesh, at, interpreter.data(0, program.inputs[0]));
  interpreter.step(1);
  return movement::wrong(program, at, interpreter.data(0, program.outputs[0]));
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  std::int64_t wrong = 0, cases = 0;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  try {
    const core::Mesh mesh = core::Mesh::of(argc > 1 ? argv[1] : "");
    for (std::int64_t chunk : {std::int64_t{1} << 30, std::int64_t{5}}) {  // the small one cuts every call into several
      executor::MpiCommunicator communicator(mesh, chunk);
      for (const movement::Sizes& sizes : {movement::Sizes{12, 8}, movement::Sizes{7, 5}})
        for (const movement::Case& one : movement::table(mesh, sizes)) {
          ++cases;
          const std::int64_t here = one.program.buffers[1].placement.sharding.partial.empty() ? wrongHere(one.program, communicator) + wrongHere(overlapping(one.program), communicator) : 0;
          if (here > 0) std::fprintf(stderr, "rank %d: %s: %lld wrong\n", rank, one.name.c_str(), static_cast<long long>(here));
          wrong += here;
        }
    }
  } catch (const core::Error& error) {
    std::fprintf(stderr, "%s\n", error.text().c_str());
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) std::printf("%lld cases\n", static_cast<long long>(cases));
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
