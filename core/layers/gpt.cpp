#include "core/layers/gpt.h"

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/layers/attention.h"
#include "core/layers/dense.h"

namespace core {
namespace {

void requirePositive(std::int64_t value, const char* name) {
  if (value < 1) throw Error{.what = fmt::format("{} is {}", name, value), .where = "gpt", .right = "1 or more"};
}

GptSizes checked(GptSizes sizes) {
  if (sizes.ffn == 0 && sizes.modelSize < (std::int64_t{1} << 60)) sizes.ffn = 4 * sizes.modelSize;
  if (sizes.positions == 0) sizes.positions = sizes.seq;
  requirePositive(sizes.layers, "layers");
  requirePositive(sizes.modelSize, "d_model");
  requirePositive(sizes.heads, "heads");
  requirePositive(sizes.ffn, "ffn");
  requirePositive(sizes.vocab, "vocab");
  requirePositive(sizes.seq, "seq");
  requirePositive(sizes.batch, "batch");
  if (sizes.layers > 10000)
    throw Error{.what = fmt::format("{} layers", sizes.layers), .where = "gpt", .right = "at most 10000"};
  if (sizes.modelSize % sizes.heads != 0)
    throw Error{.what = fmt::format("d_model {} is not a multiple of heads {}", sizes.modelSize, sizes.heads),
                .where = "gpt",
                .right = "heads that divide d_model"};
  if (sizes.positions < sizes.seq)
    throw Error{.what = fmt::format("seq {} is longer than the {} positions", sizes.seq, sizes.positions),
                .where = "gpt",
                .right = "at least as many positions"};
  return sizes;
}

TensorId feedForward(GraphBuilder& build, const std::string& name, TensorId x, DimId model, DimId ffn) {
  const TensorId up = dense(build, name + ".up", x, {model}, {ffn});
  build.nextName(scopeOfLayer(name) + "/gelu");
  const TensorId active = build.unary(Function::geluTanh, up);
  return dense(build, name + ".down", active, {ffn}, {model});
}

TensorId block(GraphBuilder& build, const std::string& name, TensorId x, const AttentionDims& dims, DimId ffn,
               TensorId mask) {
  const TensorId attended =
      attention(build, name + ".attn", layerNorm(build, name + ".ln_1", x, dims.model), dims, mask);
  build.nextName(name + "/residual_1");
  x = build.plus(x, attended);
  const TensorId fed =
      feedForward(build, name + ".mlp", layerNorm(build, name + ".ln_2", x, dims.model), dims.model, ffn);
  build.nextName(name + "/residual_2");
  return build.plus(x, fed);
}

TensorId embedded(GraphBuilder& build, TensorId tokens, const AttentionDims& dims, DimId vocab, DimId positions) {
  const TensorId token = embedding(build, "wte", tokens, vocab, dims.model);
  const TensorId table =
      build.parameter("wpe.weight", Shape{positions, dims.model}, Initializer{Initializer::Kind::normal, 0, 0.02});
  build.nextName("wpe/slice");
  const TensorId place = build.slice(table, positions, dims.seq, 0);
  build.nextName("embedded");
  return build.plus(token, place);
}

}  // namespace

Graph gpt(const GptSizes& wanted) {
  const GptSizes sizes = checked(wanted);
  GraphBuilder build;
  build.edit().name = "gpt";
  const DimId batch = build.dim("batch", sizes.batch), seq = build.dim("seq", sizes.seq),
              keys = build.dim("seq_kv", sizes.seq);
  const DimId heads = build.dim("heads", sizes.heads), headDim = build.dim("head_dim", sizes.modelSize / sizes.heads);
  const DimId model = build.dim("d_model", sizes.modelSize), ffn = build.dim("ffn", sizes.ffn);
  const DimId vocab = build.dim("vocab", sizes.vocab), positions = build.dim("positions", sizes.positions);
  const AttentionDims dims{model, seq, keys, heads, headDim};

  const TensorId tokens = build.input("tokens", Shape{batch, seq}, DType::i64);
  TensorId x = embedded(build, tokens, dims, vocab, positions);
  const TensorId mask = causalMask(build, "mask", seq, keys);
  for (std::int64_t i = 0; i < sizes.layers; ++i) x = block(build, fmt::format("h.{}", i), x, dims, ffn, mask);
  x = layerNorm(build, "ln_f", x, model);
  const TensorId head = sizes.tied ? *build.graph().findTensor("wte.weight")
                                   : build.parameter("lm_head.weight", Shape{model, vocab},
                                                     Initializer{Initializer::Kind::normal, 0, 0.02});
  build.nextName("logits");
  build.output(build.einsum({x, head}, Shape{batch, seq, vocab}));
  return build.take();
}

}  // namespace core
