#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/layers/rotary.h"

namespace core {

// Multi-head latent attention (DeepSeek-V2, 2024): keys and values of all heads are made from one short vector a token,
// and so may queries be; a part of each head has rotary positions, whose keys all heads share.
struct LatentAttention {
  DimId model, seq, keys, heads;
  std::optional<DimId> queryRank;  // none: queries come from the model's dimension directly
  DimId keyRank;
  DimId plainDim, rotaryDim;  // parts of a head of queries and keys
  DimId valueDim;
  bool bias = false;  // of the projections from and to the model's dimension, but for whole queries
  double scale = 1;
  double dropout = 0;
};

// Parameters NAME.q_a_proj, .q_a_layernorm, .q_b_proj (or NAME.q_proj), .kv_a_proj, .kv_a_layernorm, .kv_b_proj,
// .o_proj; a matrix that makes two parts is two parameters: NAME.q_b_proj.plain, NAME.q_b_proj.rotary.
TensorId latentAttention(GraphBuilder& build, const std::string& name, TensorId x, const LatentAttention& options,
                         const RotaryTable& rotary, TensorId mask);

}  // namespace core
