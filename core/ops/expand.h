#pragma once

#include "core/graph/graph.h"

namespace core {

// The graph with every composite replaced by its parts, again and again until all operators have an expression
// (or are opaque). What a composite made keeps its name; a part's name begins with the composite's and its attribute
// "origin" names the operator of `graph` that it came from.
//
//   y = softmax(x, dim=[k])    becomes    softmax/max = reduce_max(x) ... y = divide(softmax/exp, softmax/sum)
Graph expand(const Graph& graph);

}  // namespace core
