#pragma once

#include <string>
#include <vector>

#include "core/autodiff/step.h"
#include "core/ops/builder.h"

namespace core {

struct Trained {
  TensorId parameter;
  TensorId gradient;
};

// Adds one step of the optimizer for each parameter, its slots as states beside it, and the updates.
void addOptimizer(GraphBuilder& build, const OptimizerSettings& settings, const std::vector<Trained>& trained);

std::string describe(const OptimizerSettings&
                         settings);  // "optimizer: Adam, learning rate 0.001, beta1 0.9, beta2 0.999, epsilon 1e-08"

}  // namespace core
