#pragma once

#include <string>

#include "core/ops/builder.h"

namespace core {

struct FeedForward {
  DimId model, ffn;
  Function activation = Function::silu;
  bool bias = false;
  double dropout = 0;  // of what is activated, in training
};

// Up, a function, down: parameters NAME.up and NAME.down.
TensorId feedForward(GraphBuilder& build, const std::string& name, TensorId x, const FeedForward& options,
                     const std::string& up = "up", const std::string& down = "down");

// One half decides how much of the other passes (Shazeer, "GLU Variants Improve Transformer", 2020; with SiLU: SwiGLU):
// down(f(gate(x)) * up(x)). Parameters NAME.gate_proj, NAME.up_proj, NAME.down_proj.
TensorId gatedFeedForward(GraphBuilder& build, const std::string& name, TensorId x, const FeedForward& options);

}  // namespace core
