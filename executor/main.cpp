// meshwright-rank --run DIR: one rank of a run, started by mpirun or by Slurm. Exit code 0: done or stopped; 3: failed, and trace/error.N says why.

#include <mpi.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <string>

#include "core/io/file.h"
#include "core/io/program_file.h"
#include "core/run/run_folder.h"
#include "executor/collectives/mpi_communicator.h"
#include "executor/rank.h"

namespace {

constexpr int failed = 3;

int worldRank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

std::string runFolderOf(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "--run") == 0) return argv[2];
  throw core::Error{.what = "bad use", .where = "meshwright-rank", .right = "mpirun -n N meshwright-rank --run DIR, as meshwright-cli run starts it"};
}

// Rank 0 reads, all get it: the ranks run one and the same program.
std::string broadcastText(const std::string& path) {
  std::string text = worldRank() == 0 ? core::readText(path) : "";
  std::int64_t size = static_cast<std::int64_t>(text.size());
  MPI_Bcast(&size, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
  text.resize(static_cast<std::size_t>(size));
  MPI_Bcast(text.data(), static_cast<int>(size), MPI_CHAR, 0, MPI_COMM_WORLD);  // readText refuses more than 2^30
  return text;
}

void run(const core::RunFolder& folder) {
  const core::Program program = core::parseProgram(broadcastText(folder.program()), folder.program());
  executor::MpiCommunicator communicator(program.mesh);
  executor::runRank(program, communicator, folder);
}

[[noreturn]] void fail(const std::string& folder, const std::string& message) {
  std::fprintf(stderr, "rank %d: %s\n", worldRank(), message.c_str());
  if (!folder.empty() && std::filesystem::is_directory(folder + "/trace")) {
    try {
      core::writeTextAtomically(folder + "/trace/error." + std::to_string(worldRank()), message + "\n");
    } catch (const core::Error& error) {
      std::fprintf(stderr, "%s\n", error.text().c_str());
    }
  }
  MPI_Abort(MPI_COMM_WORLD, failed);
  std::exit(failed);
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  std::string folder;
  try {
    folder = runFolderOf(argc, argv);
    run(core::RunFolder{folder});
  } catch (const core::Error& error) {
    fail(folder, error.text());
  } catch (const std::exception& error) {
    fail(folder, error.what());
  }
  MPI_Finalize();
  return 0;
}
