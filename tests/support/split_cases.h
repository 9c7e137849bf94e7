#pragma once

#include <string>
#include <vector>

#include "core/io/tensor_file.h"
#include "core/plan/analyze.h"

// A model with recorded inputs and outputs, laid out in many ways.

namespace tests {

struct SplitCase {
  std::string mesh, layout;
};

// One device; then every dimension over the one axis; pairs of them over two axes, and one over both.
std::vector<SplitCase> splitCases(const core::Graph& graph);

struct Tolerance {
  double relative = 1e-3, absolute = 1e-4;
};

// Runs the program in this process. Empty when all outputs are the recorded ones, else the first that is not.
std::string differs(const core::Analysis& analysis, const std::vector<core::TensorFile>& inputs, const std::vector<core::TensorFile>& outputs, const std::vector<Tolerance>& tolerances);

// "output 0, element 3: 1.5, recorded 1.25"; empty where they are the same.
std::string differs(std::size_t output, const std::vector<double>& found, const std::vector<double>& wanted, const Tolerance& tolerance);

}  // namespace tests
