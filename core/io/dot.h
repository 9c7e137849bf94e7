#pragma once

#include <string>

#include "core/plan/analyze.h"

namespace core {

// The graph as Graphviz reads it: operators in clusters by scope, tensors as edges with dimensions, sizes and, where the
// analysis has them, the axes that split them.
std::string printDot(const Analysis& analysis);

}  // namespace core
