#pragma once

#include <string>
#include <vector>

#include "core/autodiff/step.h"
#include "core/graph/graph.h"

namespace core {

struct TrainingGraph {
  Graph graph;                     // forward, backward and updates; composites not expanded yet
  TensorId loss;                   // a number: the mean over the whole batch
  std::vector<std::string> notes;  // which loss, which optimizer, what is not trained
};

// One training step of a model. Adds the loss that `step` asks for, or by itself: an output that is a floating number
// is the loss; else the first output whose last dimension is the one that an embedding's ids index gets cross-entropy
// against an input `labels` of the ids' shape; else the first floating output gets the mean square distance from an
// input `target`. Adds gradients, the optimizer with its slots as states (adam.m/W, adam.v/W, adam.step) and an update
// of every parameter. The loss is the only output. Error where there is nothing to train or no such loss.
TrainingGraph trainingStep(const Graph& forward, const Step& step);

// The model as it is used: no element is dropped.
Graph inferenceStep(const Graph& forward);

}  // namespace core
