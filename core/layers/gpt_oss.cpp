#include "core/layers/gpt_oss.h"

#include <fmt/format.h>

#include <limits>

#include "core/base/error.h"
#include "core/layers/decoder_parts.h"
#include "core/layers/dense.h"
#include "core/layers/experts.h"
#include "core/layers/grouped_attention.h"
#include "core/layers/named.h"
#include "core/layers/sizes.h"

namespace core {
namespace {

constexpr double nothing = -std::numeric_limits<double>::infinity();
constexpr double steepness = 1.702;  // of the gate's sigmoid

void check(const GptOssSizes& sizes) {
  requireSizes("gpt_oss", sizes.layers,
               {{"d_model", sizes.modelSize},
                {"heads", sizes.heads},
                {"kv_heads", sizes.keyHeads},
                {"head_dim", sizes.headSize},
                {"experts", sizes.experts},
                {"ffn", sizes.ffn},
                {"vocab", sizes.vocab},
                {"seq", sizes.seq},
                {"batch", sizes.batch}});
  if (!sizes.windows.empty() && sizes.windows.size() != static_cast<std::size_t>(sizes.layers))
    throw Error{.what = fmt::format("{} windows for {} layers", sizes.windows.size(), sizes.layers),
                .where = "gpt_oss",
                .right = "one for each layer, or none"};
  requireDivides("gpt_oss", "heads", sizes.heads, "kv_heads", sizes.keyHeads);
  requireDivides("gpt_oss", "head_dim", sizes.headSize, "pairs of", 2);
}

struct Block {
  GroupedAttention attention;
  Experts experts;
  std::int64_t chosen = 0;
  double epsilon = 0;
  RotaryTable rotary;
};

// (up + 1) * gate * sigmoid(1.702 gate), both clamped first: the gate from above, up on both sides.
TensorId clampedGate(GraphBuilder& build, const std::string& scope, TensorId gate, TensorId up, double limit) {
  const Named at(build, scope);
  const TensorId low = at("gate_limit").binary(Function::minimum, gate, limit);
  const TensorId below = at("up_limit").binary(Function::minimum, up, limit);
  const TensorId bounded = at("up_bound").binary(Function::maximum, below, -limit);
  const TensorId steep = at("steep").times(low, steepness);
  const TensorId open = at("sigmoid").unary(Function::sigmoid, steep);
  const TensorId passed = at("passed").times(low, open);
  const TensorId more = at("up_one").plus(bounded, 1.0);
  return at("gated").times(passed, more);
}

TensorId router(GraphBuilder& build, const std::string& name, TensorId x, const Block& block) {
  const std::string scope = scopeOfLayer(name);
  const Named at(build, scope);
  const TensorId logits = dense(build, name, x, {block.experts.model}, {block.experts.experts}, true);
  const TensorId chosen = greatest(build, scope + "/top", logits, block.experts.experts, block.chosen);
  const TensorId kept = at("kept").select(chosen, logits, nothing);
  return at("softmax").softmax(kept, block.experts.experts);
}

TensorId layer(GraphBuilder& build, const std::string& name, TensorId x, const Block& block, TensorId mask) {
  const DimId model = block.attention.model;
  const TensorId first = rmsNorm(build, name + ".input_layernorm", x, model, block.epsilon);
  x = residual(build, name + "/residual_1", x,
               groupedAttention(build, name + ".self_attn", first, block.attention, block.rotary, mask));
  const TensorId second = rmsNorm(build, name + ".post_attention_layernorm", x, model, block.epsilon);
  const TensorId weights = router(build, name + ".mlp.router", second, block);
  return residual(build, name + "/residual_2", x,
                  experts(build, name + ".mlp.experts", second, weights, block.experts));
}

}  // namespace

Graph gptOss(const GptOssSizes& sizes) {
  check(sizes);
  GraphBuilder build;
  build.edit().name = "gpt_oss";
  const DecoderDims dims = decoderDims(build, sizes.batch, sizes.seq, sizes.modelSize, sizes.vocab);
  Block block{.chosen = sizes.chosen, .epsilon = sizes.epsilon};
  block.attention = {.model = dims.model,
                     .seq = dims.seq,
                     .keys = dims.keys,
                     .headDim = build.dim("head_dim", sizes.headSize),
                     .heads = headsOf(build, sizes.heads, sizes.keyHeads),
                     .bias = sizes.attentionBias,
                     .outputBias = sizes.attentionBias,
                     .sinks = true,
                     .dropout = sizes.attentionDropout};
  block.experts = {.model = dims.model,
                   .experts = build.dim("experts", sizes.experts),
                   .ffn = build.dim("ffn", sizes.ffn),
                   .bias = true};
  block.experts.gated = [&](const std::string& scope, TensorId gate, TensorId up) {
    return clampedGate(build, scope, gate, up, sizes.limit);
  };
  TensorId x = decoderEmbedding(build, dims);
  block.rotary = rotaryTable(build, "rotary", dims.seq, build.dim("half", sizes.headSize / 2), sizes.rotary);
  const CausalMasks masks(build, dims.seq, dims.keys, sizes.windows);
  for (std::size_t i = 0; i < static_cast<std::size_t>(sizes.layers); ++i) {
    const std::string name = fmt::format("layers.{}", i);
    x = layer(build, name, x, block, masks.of(i, name + ".self_attn"));
  }
  decoderHead(build, x, dims, sizes.epsilon, sizes.tied);
  return build.take();
}

}  // namespace core
