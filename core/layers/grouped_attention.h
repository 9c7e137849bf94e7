#pragma once

#include <optional>
#include <string>

#include "core/layers/attention.h"
#include "core/layers/heads.h"
#include "core/layers/rotary.h"

namespace core {

struct GroupedAttention {
  DimId model, seq, keys, headDim;
  Heads heads;
  bool bias = false;  // of queries, keys and values
  bool outputBias = false;
  std::optional<double> queryKeyNorm;  // queries and keys get a norm of their own: its epsilon (Qwen3)
  bool sinks = false;                  // a learned score beside the keys, one a head (gpt-oss)
  double dropout = 0;
};

// Causal self-attention with rotary positions and parameters NAME.q_proj, .k_proj, .v_proj, .o_proj; NAME.q_norm,
// .k_norm and NAME.sinks where asked.
TensorId groupedAttention(GraphBuilder& build, const std::string& name, TensorId x, const GroupedAttention& options,
                          const RotaryTable& rotary, TensorId mask);

}  // namespace core
