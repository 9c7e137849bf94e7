#pragma once

#include <cstdint>

#include "core/graph/graph.h"
#include "core/tdl/expression.h"

namespace core {

struct BertSizes {
  enum class Head {
    pooled,       // the first place through a dense layer and tanh: "pooled" [batch d_model]
    maskedTokens  // a word for each place: "logits" [batch seq vocab], by the embedding's table
  };
  std::int64_t layers = 4;
  std::int64_t modelSize = 256;  // d_model
  std::int64_t heads = 4;
  std::int64_t ffn = 1024;
  std::int64_t vocab = 256;
  std::int64_t positions = 512;
  std::int64_t tokenTypes = 2;
  std::int64_t seq = 128;
  std::int64_t batch = 16;
  double epsilon = 1e-12;
  Function activation = Function::gelu;
  bool tied = true;  // the head for masked tokens reads the embedding's table
  Head head = Head::maskedTokens;
  double hiddenDropout = 0, attentionDropout = 0;  // in training
};

// An encoder that looks both ways (Devlin et al., 2018): learned positions and token types, norms behind attention and
// feed-forward. Inputs "tokens" and "token_types" [batch seq]; every place is looked at, none is padding. Outputs
// "hidden" [batch seq d_model] and the head's. Layers encoder.layer.0, encoder.layer.1 ...
Graph bert(const BertSizes& sizes);

}  // namespace core
