#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/graph/graph.h"
#include "core/layers/rotary.h"

namespace core {

// A mixture of experts in place of the feed-forward block.
struct MixtureSizes {
  std::int64_t experts = 8;
  std::int64_t chosen = 2;  // experts a token
  std::int64_t ffn = 0;     // of one expert
  bool normalised = true;   // the chosen weights add up to 1
};

struct DecoderSizes {
  std::int64_t layers = 4;
  std::int64_t modelSize = 256;  // d_model
  std::int64_t heads = 4;        // of queries
  std::int64_t keyHeads = 4;     // of keys and values
  std::int64_t headSize = 64;
  std::int64_t ffn = 1024;
  std::int64_t vocab = 256;
  std::int64_t seq = 128;
  std::int64_t batch = 16;
  double epsilon = 1e-5;
  Rotary rotary;
  Function activation = Function::silu;
  bool attentionBias = false;  // of queries, keys and values
  bool outputBias = false;     // of the projection back
  bool ffnBias = false;
  bool queryKeyNorm = false;            // queries and keys are normalised (Qwen3)
  bool tied = false;                    // the head reads the embedding's table
  double attentionDropout = 0;          // in training
  std::vector<std::int64_t> windows;    // per layer: at how many places it looks back; none or 0 = at all
  std::optional<MixtureSizes> mixture;  // of the layers that have experts
  std::vector<bool> dense;              // per layer: true = none of them; none = all have experts
};

// A decoder-only Transformer as Llama has it (Touvron et al., 2023): norms by the root mean square before attention and
// feed-forward, rotary positions, grouped queries, a gated feed-forward block. Mistral, Qwen3 and Mixtral are rows of
// the same table. Input "tokens" [batch seq], output "logits" [batch seq vocab]; layers layers.0, layers.1 ... Error
// where sizes do not go together.
//
//   Llama-3.1-8B   layers 32, d_model 4096, heads 32 (8 of keys) of 128, ffn 14336, vocab 128256
Graph decoder(const DecoderSizes& sizes);

}  // namespace core
