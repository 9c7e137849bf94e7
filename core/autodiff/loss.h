#pragma once

#include <string>

#include "core/autodiff/step.h"
#include "core/ops/builder.h"

namespace core {

struct Loss {
  TensorId value;    // a floating number
  std::string note;  // "loss: cross-entropy of \"logits\" against input \"labels\" [batch:8 seq:32]"
};

// Adds the loss that the step asks for, or the one that fits the graph; see training.h.
Loss addLoss(GraphBuilder& build, const Step& step);

}  // namespace core
