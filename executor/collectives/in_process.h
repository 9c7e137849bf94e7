#pragma once

#include <map>
#include <vector>

#include "executor/collectives/collectives.h"

namespace executor {

// All ranks of a mesh in one process, in lockstep: their calls arrive together and are carried out in wait(), one after the other in
// the order of the ranks. Deterministic; needs no thread and no launcher.
class InProcessCommunicator final : public Communicator {
 public:
  explicit InProcessCommunicator(core::Mesh mesh);
  const core::Mesh& mesh() const override { return mesh_; }
  std::span<const std::int64_t> ranks() const override { return ranks_; }
  int start(std::span<const std::vector<Call>> calls, bool waitedAtOnce) override;
  void wait(int ticket) override;

 private:
  core::Mesh mesh_;
  std::vector<std::int64_t> ranks_;
  std::map<int, std::vector<std::vector<Call>>> pending_;
  int next_ = 0;
};

}  // namespace executor
