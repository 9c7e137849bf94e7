#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/autodiff/step.h"
#include "core/graph/graph.h"

namespace core {

// The graph of one step: the model as it is used, or forward, backward and updates.
struct StepGraph {
  std::shared_ptr<const Graph> graph;     // composites whole
  std::shared_ptr<const Graph> expanded;  // primitive operators only
  TensorId loss;                          // of `expanded`; invalid for inference
  std::vector<std::string> notes;         // defaults that were used
};

// It does not depend on mesh or layout, so the last few are remembered (by the identity of `forward`): a drag makes no new one.
// Error where the model cannot be trained so. Safe to call from several threads.
StepGraph stepGraph(const std::shared_ptr<const Graph>& forward, const Step& step);

}  // namespace core
