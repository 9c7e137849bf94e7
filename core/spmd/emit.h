#pragma once

#include "core/layout/propagate.h"
#include "core/layout/templates.h"
#include "core/spmd/partials.h"
#include "core/spmd/program.h"

namespace core {

// Instructions in the graph's order: each operator on local shapes, with the reshards that its operands need before it.
// No buffer has an offset yet and nothing is freed: the passes do that.
Program emit(const Graph& graph, const Templates& templates, const Decisions& decisions, const Partials& partials, const Mesh& mesh, TensorId loss);

}  // namespace core
