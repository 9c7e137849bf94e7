#include "core/layers/gpt_oss.h"

#include <fmt/format.h>

#include <limits>

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
  const TensorId open = at("sigmoid").unary(Function::sigmoid, at("steep").times(low, steepness));
  return at("gated").times(at("passed").times(low, open), at("up_one").plus(bounded, 1.0));
}

TensorId router(GraphBuilder& build, const std::string& name, TensorId x, const Block& block) {
  const std::string scope = scopeOfLayer(name);
  const Named at(build, scope);
  const TensorId logits = dense(build, name, x, {block.experts.model}, {block.experts.experts}, true);
  const TensorId chosen = greatest(build, scope + "/top", logits, block.experts.experts, block.chosen);
  return at("softmax").softmax(at("kept").select(chosen, logits, nothing), block.experts.experts);
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
  CausalMasks masks(build, dims.seq, dims.keys);
  const auto windowOf = [&](std::size_t i) { return i < sizes.windows.size() ? sizes.windows[i] : 0; };
  for (std::size_t i = 0; i < static_cast<std::size_t>(sizes.layers); ++i) masks.of(windowOf(i));
  for (std::size_t i = 0; i < static_cast<std::size_t>(sizes.layers); ++i)
    x = layer(build, fmt::format("layers.{}", i), x, block, masks.of(windowOf(i)));
  decoderHead(build, x, dims, sizes.epsilon, sizes.tied);
  return build.take();
}

}  // namespace core
