#pragma once

#include <string>

#include "core/ops/builder.h"

namespace core {

struct AttentionDims {
  DimId model;  // of x
  DimId seq;    // of x
  DimId keys;   // a second name for seq where it is summed over
  DimId heads;
  DimId headDim;
};

// True where a place may look: at itself and at those before it. [seq keys]
TensorId causalMask(GraphBuilder& build, const std::string& name, DimId seq, DimId keys);

// Self-attention with parameters NAME.q, NAME.k, NAME.v, NAME.proj (weight and bias each). `mask` true = looked at;
// none = all.
TensorId attention(GraphBuilder& build, const std::string& name, TensorId x, const AttentionDims& dims, TensorId mask);

}  // namespace core
