#include "core/layers/decoder.h"

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/layers/decoder_parts.h"
#include "core/layers/dense.h"
#include "core/layers/experts.h"
#include "core/layers/feed_forward.h"
#include "core/layers/grouped_attention.h"
#include "core/layers/named.h"
#include "core/layers/sizes.h"
#include "core/ops/elementwise.h"

namespace core {
namespace {

void check(const DecoderSizes& sizes) {
  requireSizes("decoder", sizes.layers,
               {{"d_model", sizes.modelSize},
                {"heads", sizes.heads},
                {"kv_heads", sizes.keyHeads},
                {"head_dim", sizes.headSize},
                {"ffn", sizes.ffn},
                {"vocab", sizes.vocab},
                {"seq", sizes.seq},
                {"batch", sizes.batch}});
  if (!sizes.windows.empty() && sizes.windows.size() != static_cast<std::size_t>(sizes.layers))
    throw Error{.what = fmt::format("{} windows for {} layers", sizes.windows.size(), sizes.layers),
                .where = "decoder",
                .right = "one for each layer, or none"};
  requireDivides("decoder", "heads", sizes.heads, "kv_heads", sizes.keyHeads);
  requireDivides("decoder", "head_dim", sizes.headSize, "pairs of", 2);
  if (!sizes.mixture) return;
  requireSizes("decoder", sizes.layers, {{"experts", sizes.mixture->experts}, {"expert ffn", sizes.mixture->ffn}});
}

struct Block {
  GroupedAttention attention;
  FeedForward ffn;
  Router router;
  Experts experts;
  double epsilon = 0;
  RotaryTable rotary;
};

TensorId mixture(GraphBuilder& build, const std::string& name, TensorId x, const Block& block) {
  const TensorId weights = softmaxRouter(build, name + ".gate", x, block.router);
  return experts(build, name + ".experts", x, weights, block.experts);
}

TensorId layer(GraphBuilder& build, const std::string& name, TensorId x, const Block& block, TensorId mask,
               bool dense) {
  const DimId model = block.attention.model;
  const TensorId first = rmsNorm(build, name + ".input_layernorm", x, model, block.epsilon);
  x = residual(build, name + "/residual_1", x,
               groupedAttention(build, name + ".self_attn", first, block.attention, block.rotary, mask));
  const TensorId second = rmsNorm(build, name + ".post_attention_layernorm", x, model, block.epsilon);
  return residual(
      build, name + "/residual_2", x,
      dense ? gatedFeedForward(build, name + ".mlp", second, block.ffn) : mixture(build, name + ".mlp", second, block));
}

void addExperts(GraphBuilder& build, const MixtureSizes& sizes, Function activation, Block& block) {
  const DimId model = block.attention.model, count = build.dim("experts", sizes.experts);
  block.router = {.model = model, .experts = count, .chosen = sizes.chosen, .normalised = sizes.normalised};
  block.experts = {
      .model = model, .experts = count, .ffn = build.dim(block.ffn.ffn.valid() ? "expert_ffn" : "ffn", sizes.ffn)};
  block.experts.gated = [&build, activation](const std::string& scope, TensorId gate, TensorId up) {
    const Named at(build, scope);
    const TensorId open = at(std::string(kindOf(activation))).unary(activation, gate);
    return at("gated").times(open, up);
  };
}

Block blockOf(GraphBuilder& build, const DecoderSizes& sizes, const DecoderDims& dims, bool anyDense) {
  Block block{.epsilon = sizes.epsilon};
  block.attention = {.model = dims.model,
                     .seq = dims.seq,
                     .keys = dims.keys,
                     .headDim = build.dim("head_dim", sizes.headSize),
                     .heads = headsOf(build, sizes.heads, sizes.keyHeads),
                     .bias = sizes.attentionBias,
                     .outputBias = sizes.outputBias,
                     .dropout = sizes.attentionDropout};
  if (sizes.queryKeyNorm) block.attention.queryKeyNorm = sizes.epsilon;
  block.ffn = {.model = dims.model, .activation = sizes.activation, .bias = sizes.ffnBias};
  if (anyDense) block.ffn.ffn = build.dim("ffn", sizes.ffn);
  if (sizes.mixture) addExperts(build, *sizes.mixture, sizes.activation, block);
  return block;
}

}  // namespace

Graph decoder(const DecoderSizes& sizes) {
  check(sizes);
  const auto isDense = [&](std::size_t i) { return !sizes.mixture || (i < sizes.dense.size() && sizes.dense[i]); };
  bool anyDense = false;
  for (std::size_t i = 0; i < static_cast<std::size_t>(sizes.layers); ++i) anyDense |= isDense(i);
  GraphBuilder build;
  build.edit().name = "decoder";
  const DecoderDims dims = decoderDims(build, sizes.batch, sizes.seq, sizes.modelSize, sizes.vocab);
  Block block = blockOf(build, sizes, dims, anyDense);
  TensorId x = decoderEmbedding(build, dims);
  block.rotary = rotaryTable(build, "rotary", dims.seq, build.dim("half", sizes.headSize / 2), sizes.rotary);
  const CausalMasks masks(build, dims.seq, dims.keys, sizes.windows);
  for (std::size_t i = 0; i < static_cast<std::size_t>(sizes.layers); ++i) {
    const std::string name = fmt::format("layers.{}", i);
    x = layer(build, name, x, block, masks.of(i, name + ".self_attn"), isDense(i));
  }
  decoderHead(build, x, dims, sizes.epsilon, sizes.tied);
  return build.take();
}

}  // namespace core
