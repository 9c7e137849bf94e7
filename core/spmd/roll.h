#pragma once

#include <optional>

#include "core/spmd/layers.h"
#include "core/spmd/program.h"

// The program of a model with many equal layers, made from that of the same model with few.

namespace core {

// `program` is of `few.graph`, as emit() leaves it. What follows one layer after the other becomes a repeat over all layers of `graph`: weights and
// saved activations are viewed, the residual is carried from buffer to buffer. None where the instructions of a layer in the middle don't follow
// those of its neighbour one for one.
std::optional<Program> lengthen(const Program& program, const Shortened& few, const Graph& graph, const Layers& layers);

// The same program without repeats: what each iteration does stands one behind the other.
Program flatten(const Program& program);

bool drawsNumbers(const Expression& expression);  // random ones: each layer has its own

}  // namespace core
