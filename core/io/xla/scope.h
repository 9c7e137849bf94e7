#pragma once

#include <optional>
#include <string>

// Names of JAX as names of a graph.

namespace core::xla {

// "jit(step)/transpose(jvp(Model))/layers_0/mlp/dot_general" -> "Model/layers_0/mlp/dot_general": what tracing puts around is dropped.
std::string scopeOfOperation(const std::string& name);

// An argument of the program.
struct Argument {
  std::string name;        // dotted for a leaf of a tree
  bool isLearned = false;  // part of what JAX programs keep their weights in
  bool isStatistic = false;           // of batch_stats
  std::optional<double> untrained;    // scales and variances begin as one, biases and means as zero
};

// "params['params']['decoder']['wi']['kernel']" -> decoder.wi.kernel, learned; "inputs[0]" -> inputs_0; "Arg_0.1" -> arg_0.
Argument argumentOf(const std::string& name);

}  // namespace core::xla
