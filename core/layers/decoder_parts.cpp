#include "core/layers/decoder_parts.h"

#include <fmt/format.h>

#include "core/layers/attention.h"
#include "core/layers/dense.h"

namespace core {

DecoderDims decoderDims(GraphBuilder& build, std::int64_t batch, std::int64_t seq, std::int64_t modelSize,
                        std::int64_t vocab) {
  return {.batch = build.dim("batch", batch),
          .seq = build.dim("seq", seq),
          .keys = build.dim("seq_kv", seq),
          .model = build.dim("d_model", modelSize),
          .vocab = build.dim("vocab", vocab)};
}

TensorId decoderEmbedding(GraphBuilder& build, const DecoderDims& dims) {
  const TensorId tokens = build.input("tokens", Shape{dims.batch, dims.seq}, DType::i64);
  return embedding(build, "embed_tokens", tokens, dims.vocab, dims.model);
}

void decoderHead(GraphBuilder& build, TensorId x, const DecoderDims& dims, double epsilon, bool tied) {
  const TensorId last = rmsNorm(build, "norm", x, dims.model, epsilon);
  const TensorId head = tied ? *build.graph().findTensor("embed_tokens.weight")
                             : build.parameter("lm_head.weight", Shape{dims.model, dims.vocab},
                                               Initializer{Initializer::Kind::normal, 0, 0.02});
  build.nextName("logits");
  build.output(build.einsum({last, head}, Shape{dims.batch, dims.seq, dims.vocab}));
}

// One mask a window, whatever the sequence: a plan may get a longer one later.
TensorId CausalMasks::of(std::int64_t window) {
  const auto [found, fresh] = made_.emplace(window, TensorId());
  if (fresh)
    found->second = causalMask(build_, window == 0 ? "mask" : fmt::format("mask_{}", window), seq_, keys_, window);
  return found->second;
}

TensorId residual(GraphBuilder& build, const std::string& name, TensorId x, TensorId made) {
  build.nextName(name);
  return build.plus(x, made);
}

}  // namespace core
