#pragma once

#include <vector>

#include "core/base/error.h"
#include "core/graph/graph.h"

namespace core {

// What is wrong with a graph, all of it: as a structure (core/graph/check.h), and operators that the catalogue lacks,
// that do not take their inputs or attributes, or that would make other dimensions or types than the graph says. Opaque
// ones are let pass.
std::vector<Diagnostic> checkOperators(const Graph& graph);

}  // namespace core
