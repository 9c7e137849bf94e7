#pragma once

#include <cstdint>
#include <vector>

#include "core/graph/graph.h"
#include "core/layers/rotary.h"

namespace core {

struct GptOssSizes {
  std::int64_t layers = 4;
  std::int64_t modelSize = 256;  // d_model
  std::int64_t heads = 4, keyHeads = 2, headSize = 64;
  std::int64_t experts = 8, chosen = 2;
  std::int64_t ffn = 256;  // of one expert
  std::int64_t vocab = 256, seq = 128, batch = 16;
  double epsilon = 1e-5;
  Rotary rotary;
  double limit = 7;  // what enters an expert's gate is kept within it
  bool attentionBias = true, tied = false;
  double attentionDropout = 0;
  std::vector<std::int64_t> windows;  // per layer: at how many places it looks back; 0 = at all
};

// gpt-oss (OpenAI, 2025): grouped queries with a learned sink a head, layers that look back a window and layers that
// look at all by turns, experts with biases and a gate that is clamped, weights by a softmax over the chosen ones.
// Input "tokens" [batch seq], output "logits" [batch seq vocab].
Graph gptOss(const GptOssSizes& sizes);

}  // namespace core
