#pragma once

#include <cstdint>
#include <optional>

#include "core/graph/graph.h"
#include "core/layers/rotary.h"

namespace core {

struct DeepseekSizes {
  std::int64_t layers = 4;
  std::int64_t denseLayers = 1;  // the first ones: a feed-forward block in place of experts
  std::int64_t modelSize = 256;  // d_model
  std::int64_t heads = 4;
  std::optional<std::int64_t> queryRank;         // none: queries come straight from the model's dimension
  std::int64_t keyRank = 64;                     // of the vector that keys and values are made from
  std::int64_t plainSize = 32, rotarySize = 16;  // parts of a head of queries and keys
  std::int64_t valueSize = 32;                   // a head of values
  std::int64_t ffn = 1024;                       // of the dense layers
  std::int64_t experts = 8, chosen = 2;          // routed ones, and how many of them a token gets
  std::int64_t groups = 1, chosenGroups = 1;     // experts stand in groups; a token's are in the best of them
  std::int64_t sharedExperts = 1;                // every token's
  std::int64_t expertFfn = 128;
  bool normalised = true;  // the chosen weights add up to 1
  double routedScale = 1;  // what they are multiplied with
  std::int64_t vocab = 256, seq = 128, batch = 16;
  double epsilon = 1e-6;
  Rotary rotary;
  Pairs pairs = Pairs::neighbours;
  double scoreScale = 0;  // of the attention's scores; 0: one over the root of a head's size
  Function activation = Function::silu;
  bool attentionBias = false, tied = false;
  double attentionDropout = 0;
};

// DeepSeek-V3 (2024): multi-head latent attention; experts scored by a sigmoid, chosen by score plus a correction that
// balances them and is not trained by the gradient, beside experts that every token shares. Without the extra layer
// that predicts a second token. Input "tokens" [batch seq], output "logits" [batch seq vocab].
Graph deepseek(const DeepseekSizes& sizes);

}  // namespace core
