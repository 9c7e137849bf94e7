#pragma once

#include <cstdint>
#include <memory>

#include "executor/collectives/collectives.h"

namespace executor {

// This process is one rank of MPI_COMM_WORLD, which has as many as the mesh has devices. One communicator for each group of axes, made
// when it is first needed. MPI must be initialised before and finalised after it.
class MpiCommunicator final : public Communicator {
 public:
  // A call for more than `chunk` elements is issued as several: MPI counts in int.
  explicit MpiCommunicator(core::Mesh mesh, std::int64_t chunk = std::int64_t{1} << 30);
  ~MpiCommunicator() override;
  const core::Mesh& mesh() const override;
  std::span<const std::int64_t> ranks() const override;
  int start(std::span<const std::vector<Call>> calls, bool waitedAtOnce) override;
  void wait(int ticket) override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace executor
