#pragma once

#include <cstdint>
#include <vector>

#include "core/layout/propagate.h"
#include "core/layout/templates.h"

namespace core {

// Where partial sums become whole. A partial sum passes an operator that is linear in it; it is resolved where the
// fewest bytes move over the whole region that it could pass: a least vertex cut between the operators that make
// partial sums and those that have to see whole values, ties to the earliest.
//
//   y = sum(k) a b (partial); z = 3*y; w = z + sum(k) c d (partial); relu(w):  one all-reduce, of w
struct Partials {
  struct Operator {
    AxisSet passes;                       // axes over which it takes and leaves partial sums
    std::vector<AxisSet> operands;        // per operand: over which axes it has to hold partial sums
  };
  std::vector<Operator> operators;
  std::vector<AxisSet> produced;          // per tensor: partial over these when its operator has run
  std::vector<AxisSet> kept;              // ... and still when others read it; the rest is resolved at once
  std::vector<Reduction> reduction;       // per tensor
};

// `loss` may stay partial to the end: the control instruction sums it.
Partials placePartials(const Graph& graph, const Templates& templates, const Decisions& decisions, const Mesh& mesh, TensorId loss);

}  // namespace core
