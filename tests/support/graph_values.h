#pragma once

#include <map>
#include <vector>

#include "core/graph/graph.h"
#include "core/tdl/evaluate.h"
#include "tests/support/random.h"

// What a graph means, operator by operator in the evaluator: what every way of running it is held against.

namespace tests {

// Every f32 becomes f64.
core::Graph inDoublePrecision(core::Graph graph);

// Fit to be fed: normal numbers for floats, small whole ones for integers, both truth values.
core::Array randomValues(Random& random, const core::Graph& graph, core::TensorId tensor);
std::map<core::TensorId, core::Array> randomInputs(Random& random, const core::Graph& graph);

// The values of all tensors, by id. States and constants take theirs from `given` too, else from their source.
std::vector<core::Array> evaluateGraph(const core::Graph& graph, const std::map<core::TensorId, core::Array>& given,
                                       const core::RandomContext& random = {});

// One operator by itself: its inputs are inputs of the graph, in order (a tensor that it reads twice is one input);
// `values` of the whole graph become the inputs'.
struct Isolated {
  core::Graph graph;
  std::map<core::TensorId, core::Array> inputs;
};
Isolated isolate(const core::Graph& graph, core::OperatorId op, const std::vector<core::Array>& values);

double largestDifference(const core::Array& a,
                         const core::Array& b);  // infinite where sizes differ or one alone is not a number
double largestSize(const core::Array& a);        // of its finite values

}  // namespace tests
