#pragma once

#include <cstdint>

#include "core/graph/graph.h"
#include "core/tdl/expression.h"

namespace core {

struct T5Sizes {
  std::int64_t layers = 4, decoderLayers = 4;
  std::int64_t modelSize = 256;  // d_model
  std::int64_t heads = 4, headSize = 64;
  std::int64_t ffn = 1024;
  std::int64_t vocab = 256;
  std::int64_t buckets = 32, farthest = 128;  // of relative positions
  std::int64_t seq = 128, targetSeq = 128, batch = 16;
  double epsilon = 1e-6;
  Function activation = Function::relu;
  bool gated = false;       // the feed-forward block has a gate (T5 1.1)
  bool tied = true;         // the head reads the embedding's table, and its input is scaled
  double dropout = 0;       // in training
  double initialScale = 1;  // of the initial weights
};

// An encoder and a decoder (Raffel et al., 2020): norms by the root mean square before each part, attention without
// scale, positions as a learned bias that all layers of a stack share. Inputs "tokens" [batch seq] and "decoder_tokens"
// [batch target_seq], output "logits" [batch target_seq vocab]; layers encoder.block.0 ..., decoder.block.0 ...
Graph t5(const T5Sizes& sizes);

}  // namespace core
