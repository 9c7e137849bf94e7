#include "core/layers/deepseek.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/layers/attention.h"
#include "core/layers/decoder_parts.h"
#include "core/layers/dense.h"
#include "core/layers/experts.h"
#include "core/layers/feed_forward.h"
#include "core/layers/latent_attention.h"
#include "core/layers/named.h"
#include "core/layers/sizes.h"
#include "core/ops/elementwise.h"

namespace core {
namespace {

constexpr double nothing = -std::numeric_limits<double>::infinity();

void check(const DeepseekSizes& sizes) {
  requireSizes("deepseek", sizes.layers,
               {{"d_model", sizes.modelSize},
                {"heads", sizes.heads},
                {"query rank", sizes.queryRank.value_or(1)},
                {"key rank", sizes.keyRank},
                {"plain part of a head", sizes.plainSize},
                {"rotary part of a head", sizes.rotarySize},
                {"head of values", sizes.valueSize},
                {"ffn", sizes.ffn},
                {"experts", sizes.experts},
                {"expert ffn", sizes.expertFfn},
                {"vocab", sizes.vocab},
                {"seq", sizes.seq},
                {"batch", sizes.batch}});
  requireDivides("deepseek", "experts", sizes.experts, "groups", sizes.groups);
  requireDivides("deepseek", "rotary part of a head", sizes.rotarySize, "pairs of", 2);
}

struct Block {
  LatentAttention attention;
  FeedForward dense, shared;
  Experts experts;
  DimId groups, members;  // of experts; none where there is one group
  RotaryTable rotary;
};

// Of experts in the groups that are not among the best, nothing is left to choose. A group is as good as its best two.
TensorId inBestGroups(GraphBuilder& build, const std::string& scope, TensorId choice, const Block& block,
                      const DeepseekSizes& sizes) {
  if (sizes.groups == 1) return choice;
  const Named at(build, scope);
  const TensorId grouped = at("grouped").split(choice, block.experts.experts, {block.groups, block.members});
  const TensorId two = greatest(build, scope + "/two", grouped, block.members, 2);
  const TensorId kept = at("kept").select(two, grouped, 0.0);
  const TensorId best = at("best").sum(kept, {block.members});
  const TensorId chosen = greatest(build, scope + "/groups", best, block.groups, sizes.chosenGroups);
  const TensorId open = at("open").select(chosen, grouped, nothing);
  return at("merged").merge(open, {block.groups, block.members}, block.experts.experts);
}

TensorId router(GraphBuilder& build, const std::string& name, TensorId x, const Block& block,
                const DeepseekSizes& sizes) {
  const std::string scope = scopeOfLayer(name);
  const Named at(build, scope);
  const DimId experts = block.experts.experts;
  const TensorId logits = dense(build, name, x, {block.experts.model}, {experts}, false);
  const TensorId scores = at("sigmoid").unary(Function::sigmoid, logits);
  const TensorId correction = build.parameter(name + ".e_score_correction_bias", Shape{experts},
                                              Initializer{Initializer::Kind::constant, 0, 0});
  const TensorId choice = inBestGroups(build, scope, at("corrected").plus(scores, correction), block, sizes);
  const TensorId chosen = greatest(build, scope + "/top", choice, experts, sizes.chosen);
  TensorId weights = at("weights").select(chosen, scores, 0.0);
  if (sizes.normalised) {
    const TensorId sum = at("sum").sum(weights, {experts});
    const TensorId total = at("total").plus(sum, 1e-20);
    weights = at("normalised").over(weights, total);
  }
  return sizes.routedScale == 1 ? weights : at("scaled").times(weights, sizes.routedScale);
}

TensorId mixture(GraphBuilder& build, const std::string& name, TensorId x, const Block& block,
                 const DeepseekSizes& sizes) {
  const TensorId weights = router(build, name + ".gate", x, block, sizes);
  const TensorId routed = experts(build, name + ".experts", x, weights, block.experts);
  if (sizes.sharedExperts == 0) return routed;
  const TensorId shared = gatedFeedForward(build, name + ".shared_experts", x, block.shared);
  return Named(build, scopeOfLayer(name))("sum").plus(routed, shared);
}

TensorId layer(GraphBuilder& build, const std::string& name, TensorId x, const Block& block, const DeepseekSizes& sizes,
               TensorId mask, bool isDense) {
  const DimId model = block.attention.model;
  const TensorId first = rmsNorm(build, name + ".input_layernorm", x, model, sizes.epsilon);
  x = residual(build, name + "/residual_1", x,
               latentAttention(build, name + ".self_attn", first, block.attention, block.rotary, mask));
  const TensorId second = rmsNorm(build, name + ".post_attention_layernorm", x, model, sizes.epsilon);
  return residual(build, name + "/residual_2", x,
                  isDense ? gatedFeedForward(build, name + ".mlp", second, block.dense)
                          : mixture(build, name + ".mlp", second, block, sizes));
}

LatentAttention attentionOf(GraphBuilder& build, const DeepseekSizes& sizes, const DecoderDims& dims) {
  LatentAttention attention{
      .model = dims.model, .seq = dims.seq, .keys = dims.keys, .heads = build.dim("heads", sizes.heads)};
  if (sizes.queryRank) attention.queryRank = build.dim("q_rank", *sizes.queryRank);
  attention.keyRank = build.dim("kv_rank", sizes.keyRank);
  attention.plainDim = build.dim("head_dim", sizes.plainSize);
  attention.rotaryDim = build.dim("rotary_dim", sizes.rotarySize);
  attention.valueDim = build.dim("head_dim_v", sizes.valueSize);
  attention.bias = sizes.attentionBias;
  attention.dropout = sizes.attentionDropout;
  const double size = static_cast<double>(sizes.plainSize + sizes.rotarySize);
  attention.scale = sizes.scoreScale != 0 ? sizes.scoreScale : 1 / std::sqrt(size);
  return attention;
}

void addExperts(GraphBuilder& build, const DeepseekSizes& sizes, const DecoderDims& dims, Block& block) {
  block.experts = {.model = dims.model,
                   .experts = build.dim("experts", sizes.experts),
                   .ffn = build.dim("expert_ffn", sizes.expertFfn)};
  block.experts.gated = [&build, activation = sizes.activation](const std::string& scope, TensorId gate, TensorId up) {
    const Named at(build, scope);
    const TensorId open = at(std::string(kindOf(activation))).unary(activation, gate);
    return at("gated").times(open, up);
  };
  if (sizes.groups > 1) {
    block.groups = build.dim("expert_groups", sizes.groups);
    block.members = build.dim("experts_in_group", sizes.experts / sizes.groups);
  }
  if (sizes.sharedExperts > 0)
    block.shared = {.model = dims.model,
                    .ffn = build.dim("shared_ffn", sizes.sharedExperts * sizes.expertFfn),
                    .activation = sizes.activation};
}

}  // namespace

Graph deepseek(const DeepseekSizes& sizes) {
  check(sizes);
  GraphBuilder build;
  build.edit().name = "deepseek";
  const DecoderDims dims = decoderDims(build, sizes.batch, sizes.seq, sizes.modelSize, sizes.vocab);
  Block block{.attention = attentionOf(build, sizes, dims)};
  if (sizes.denseLayers > 0)
    block.dense = {.model = dims.model, .ffn = build.dim("ffn", sizes.ffn), .activation = sizes.activation};
  if (sizes.denseLayers < sizes.layers) addExperts(build, sizes, dims, block);
  TensorId x = decoderEmbedding(build, dims);
  block.rotary =
      rotaryTable(build, "rotary", dims.seq, build.dim("half", sizes.rotarySize / 2), sizes.rotary, sizes.pairs);
  const TensorId mask = causalMask(build, "mask", dims.seq, dims.keys);
  for (std::int64_t i = 0; i < sizes.layers; ++i)
    x = layer(build, fmt::format("layers.{}", i), x, block, sizes, mask, i < sizes.denseLayers);
  decoderHead(build, x, dims, sizes.epsilon, sizes.tied);
  return build.take();
}

}  // namespace core
