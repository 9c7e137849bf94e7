#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/cost/compare.h"
#include "core/layout/layout.h"
#include "core/spmd/partition.h"
#include "tests/support/graph_values.h"

namespace executor {
class LocalCluster;
}

// A graph laid out on a mesh and run once by ranks of this process, with everything that can be checked on the way
// checked.

namespace tests {

struct GraphRun {
  core::Program program;
  core::TensorLayouts layouts;
  std::vector<core::Array> outputs;  // whole, in the graph's order
  core::Comparison compared;         // predicted beside counted
  std::vector<std::string> wrong;    // of verify(), and what compared differently
};

// `inputs` by tensor; states and constants come from their sources unless they are given too. Freed buffers are
// poisoned, and bytes that an instruction does not own are watched.
GraphRun runGraph(const core::Graph& graph, const core::Layout& layout, const core::Mesh& mesh,
                  const std::map<core::TensorId, core::Array>& inputs, const core::PartitionOptions& options = {});

core::Counted countedOf(const core::Program& program, const executor::LocalCluster& cluster);

// Bytes that a device hands to collectives of this kind along these axes, in one step.
std::int64_t payload(const core::Program& program, core::CollectiveKind kind);
int count(const core::Program& program, core::CollectiveKind kind);
int collectives(const core::Program& program);  // of all kinds, without the control instruction

}  // namespace tests
