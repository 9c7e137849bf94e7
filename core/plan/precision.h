#pragma once

#include "core/graph/graph.h"

namespace core {

// Mixed precision as it is priced: activations and gradients in bf16, states and all that is computed from optimizer
// slots in f32 (the masters). `graph` holds primitive operators.
Graph withBf16Activations(Graph graph);

}  // namespace core
