#pragma once

#include "core/graph/graph.h"

namespace core {

// The model with every f32 value as bf16. States, inputs and constants keep f32 and are cast where they are read,
// so that gradients are bf16 up to the master's own, which the cast makes f32 again.
Graph inBf16(const Graph& forward);

}  // namespace core
