#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/layout/sharding.h"
#include "core/mesh/mesh.h"
#include "core/spmd/program.h"

// The cheapest instructions that turn one placement of a tensor into another.
//
//   mesh x:2, tensor [batch:8 out:6]
//   batch:x (each device 4x6) -> out:x (each device 8x3):           all-to-all along x
//   partial over x (each device 8x6) -> batch:x (each device 4x6):  reduce-scatter along x

namespace core {

struct ReshardStep {
  InstructionKind kind = InstructionKind::start;  // start: a collective; place: without traffic
  Collective collective;
  Placement result;
  bool operator==(const ReshardStep&) const = default;
};

struct ReshardPlan {
  std::vector<ReshardStep> steps;
  std::int64_t bytes = 0;  // that the busiest device sends, ring algorithms
};

// True when a device that holds `have` holds all that `need` asks for, so that nothing has to be done.
bool covers(const Placement& have, const Placement& need);

// Searches the states that splits of aligned blocks can reach (Dijkstra by bytes, then by number of steps);
// anything else is one redistribute. `have` must be plain.
ReshardPlan reshard(const Placement& have, const Placement& need, std::span<const std::int64_t> sizes, std::int64_t elementBytes, const Mesh& mesh);

}  // namespace core
