#pragma once

#include <vector>

#include "core/base/error.h"
#include "core/graph/graph.h"

namespace core {

// What is wrong with a graph as a structure, all of it: names that stand twice, sizes below 0 or beyond 64 bits, a
// dimension twice in one tensor, operators that read what is made after them, tensors nobody makes, updates of what is
// no state, sources of another size. Whether operators take their inputs is for checkOperators (core/ops/check.h).
std::vector<Diagnostic> check(const Graph& graph);

// The operators in an order in which each comes after those that make its inputs, else as they stood. Error naming a
// cycle.
Graph inOrder(const Graph& graph);

}  // namespace core
