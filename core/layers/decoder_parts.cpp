#include "core/layers/decoder_parts.h"

#include <algorithm>
#include <utility>

#include "core/layers/attention.h"
#include "core/layers/dense.h"
#include "core/layers/named.h"

namespace core {
namespace {

constexpr double everything = 1LL << 40;  // a window longer than any sequence

}  // namespace

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

CausalMasks::CausalMasks(GraphBuilder& build, DimId seq, DimId keys, std::vector<std::int64_t> windows)
    : build_(build), windows_(std::move(windows)) {
  const auto differs = [&](std::int64_t window) { return window != windows_.front(); };
  if (windows_.empty() || std::none_of(windows_.begin(), windows_.end(), differs)) {
    shared_ = causalMask(build, "mask", seq, keys, windows_.empty() ? 0 : windows_.front());
    return;
  }
  const Named at(build, "mask");
  rows_ = at("rows").iota(seq);
  columns_ = at("columns").iota(keys);
  back_ = at("back").binary(Function::greaterEqual, rows_, columns_);
}

TensorId CausalMasks::of(std::size_t layer, const std::string& name) const {
  if (shared_.valid()) return shared_;
  const Named at(build_, scopeOfLayer(name) + "/mask");
  const double window = windows_.at(layer) == 0 ? everything : static_cast<double>(windows_.at(layer));
  const TensorId size =
      build_.constant(name + ".window", {}, DType::i64, Initializer{Initializer::Kind::constant, window, 0});
  const TensorId end = at("end").plus(columns_, size);
  const TensorId near = at("near").binary(Function::less, rows_, end);
  return at("both").binary(Function::logicalAnd, back_, near);
}

TensorId residual(GraphBuilder& build, const std::string& name, TensorId x, TensorId made) {
  build.nextName(name);
  return build.plus(x, made);
}

}  // namespace core
