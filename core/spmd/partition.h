#pragma once

#include "core/layout/layout.h"
#include "core/layout/tensor_layouts.h"
#include "core/spmd/program.h"

// From the graph of one step and a layout to the program of every rank.

namespace core {

struct PartitionOptions {
  TensorId loss;                            // stays partial until the control instruction sums it
  bool bucketCollectives = true;            // small all-reduces that can wait travel together
  std::int64_t bucketBytes = 25 << 20;
  bool reduceByAxis = true;                 // all-reduces over several axes: one instruction an axis
  std::int64_t byAxisBytes = 256 << 10;     // ... from this size on; below, three latencies cost more than they save
  bool roll = true;                         // equal layers are partitioned once and become a repeat
  bool sink = true;
  bool fuse = true;
  bool updateInPlace = true;
};

struct Partitioned {
  Program program;
  TensorLayouts layouts;  // per tensor of the graph: what it has where it is produced
};

// `graph` holds primitive operators only (core/ops/expand.h) and a layout that check() accepts.
Partitioned partition(const Graph& graph, const Layout& layout, const Mesh& mesh, const PartitionOptions& options);

}  // namespace core
