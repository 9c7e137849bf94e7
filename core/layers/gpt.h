#pragma once

#include <cstdint>

#include "core/graph/graph.h"
#include "core/tdl/expression.h"

namespace core {

struct GptSizes {
  std::int64_t layers = 4;
  std::int64_t modelSize = 256;  // d_model
  std::int64_t heads = 4;
  std::int64_t ffn = 0;  // 0: four times the model size
  std::int64_t vocab = 256;
  std::int64_t seq = 128;
  std::int64_t positions = 0;  // 0: as many as seq
  std::int64_t batch = 16;
  bool tied = false;  // the head reads the embedding's table
  Function activation = Function::geluTanh;
  double epsilon = 1e-5;
  double embeddingDropout = 0, attentionDropout = 0, residualDropout = 0;  // in training

  bool operator==(const GptSizes&) const = default;
};

// A decoder-only Transformer: learned positions, norms before attention and feed-forward, GELU (tanh), a head without
// bias. Input "tokens" [batch seq], output "logits" [batch seq vocab]; layers h.0, h.1 ... Error where sizes do not go
// together.
Graph gpt(const GptSizes& sizes);

}  // namespace core
