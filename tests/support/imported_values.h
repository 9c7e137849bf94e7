#pragma once

#include <map>
#include <string>

#include "core/graph/graph.h"
#include "core/tdl/evaluate.h"

// Imported models held against what was recorded with them.

namespace tests {

// Weights and constants from the files that they lie in, inputs from input_<i>.pb of the folder.
std::map<core::TensorId, core::Array> recordedInputs(const core::Graph& graph, const std::string& folder);

// The sizes of the folder's inputs given to dimensions that have none.
core::Graph boundByInputs(const core::Graph& graph, const std::string& folder);

// The largest error of any output against output_<i>.pb, beyond rtol * |expected| + atol; infinite where sizes differ.
double worstError(const core::Graph& model, const std::string& folder, double rtol = 1e-4, double atol = 1e-5);

}  // namespace tests
