#pragma once

#include "core/graph/graph.h"

namespace core {

// The graph without operators that neither an output nor an update needs. Inputs and states stay, read or not;
// constants that nobody reads go.
Graph prune(const Graph& graph);

}  // namespace core
