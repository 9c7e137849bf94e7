#pragma once

#include <string>

#include "core/io/layout_file.h"

// A layout in the words of others: the shardings of inputs, states and outputs, as a Python module.

namespace core {

// P("data", ("model", "x"), None): jax.sharding.PartitionSpec, an entry a dimension.
std::string printPartitionSpecs(const LayoutFile& file);

// [Shard(0), Replicate()]: torch.distributed.tensor placements, an entry a mesh axis. Error where a dimension is split over
// axes in another order than the mesh's, which DTensor cannot say.
std::string printDTensorPlacements(const LayoutFile& file);

}  // namespace core
