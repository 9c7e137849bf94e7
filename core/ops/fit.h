#pragma once

#include "core/graph/graph.h"

// Shapes are taken by value: the graph grows on the way.
// A gradient in the shape of what it belongs to: where the forward step broadcast, the backward step sums.
// Shapes are copies: those of the graph move while it is built.

namespace core {

class GraphBuilder;

TensorId fitTo(GraphBuilder& build, TensorId gradient, Shape shape);  // summed over what shape lacks, in shape's order
TensorId productFitTo(GraphBuilder& build, TensorId a, TensorId b,
                      Shape shape);  // of a * b, in one operator where that pays

}  // namespace core
