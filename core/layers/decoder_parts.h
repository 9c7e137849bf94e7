#pragma once

#include <cstdint>
#include <map>
#include <string>

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

// Masks by window, each made once: "mask" for 0, "mask_128" for 128.
class CausalMasks {
 public:
  CausalMasks(GraphBuilder& build, DimId seq, DimId keys) : build_(build), seq_(seq), keys_(keys) {}
  TensorId of(std::int64_t window);

 private:
  GraphBuilder& build_;
  DimId seq_, keys_;
  std::map<std::int64_t, TensorId> made_;
};

TensorId residual(GraphBuilder& build, const std::string& name, TensorId x, TensorId made);

}  // namespace core
