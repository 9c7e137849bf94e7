#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ops/builder.h"

// What decoder-only families share around their layers.

namespace core {

struct DecoderDims {
  DimId batch, seq, keys, model, vocab;
};
DecoderDims decoderDims(GraphBuilder& build, std::int64_t batch, std::int64_t seq, std::int64_t modelSize,
                        std::int64_t vocab);

// "tokens" [batch seq] and their rows of embed_tokens.weight.
TensorId decoderEmbedding(GraphBuilder& build, const DecoderDims& dims);

// norm.weight, then lm_head.weight or the embedding's table: the output "logits" [batch seq vocab].
void decoderHead(GraphBuilder& build, TensorId x, const DecoderDims& dims, double epsilon, bool tied);

// Which places each layer looks at: back a window, or as far as there is something (0). One mask for all layers where
// they have one window; else each layer has its own, made with a number NAME.window of its own, so that layers differ
// in nothing but that number.
class CausalMasks {
 public:
  CausalMasks(GraphBuilder& build, DimId seq, DimId keys, std::vector<std::int64_t> windows);
  TensorId of(std::size_t layer, const std::string& name) const;

 private:
  GraphBuilder& build_;
  std::vector<std::int64_t> windows_;
  TensorId shared_;
  TensorId rows_, columns_, back_;  // where layers have masks of their own
};

TensorId residual(GraphBuilder& build, const std::string& name, TensorId x, TensorId made);

}  // namespace core
