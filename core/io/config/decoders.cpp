#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/io/config/family.h"
#include "core/io/config/parts.h"
#include "core/io/config/rope.h"
#include "core/layers/decoder.h"

// llama, mistral, qwen3, mixtral and qwen3_moe: one decoder, and what each has of its own.

namespace core {
namespace {

struct Own {
  double theta = 10000, epsilon = 1e-6;
  std::int64_t positions = 32768;
  bool keyHeadsGiven = true;  // else as many as heads where the file says none
  std::int64_t headSize = 0;  // where the file says none; 0: hidden_size / heads
};

DecoderSizes sizesOf(const ConfigKeys& keys, const Own& own, OpenSizes& open) {
  DecoderSizes sizes;
  sizes.layers = readLayers(keys, "num_hidden_layers");
  sizes.modelSize = keys.size("hidden_size");
  sizes.heads = keys.size("num_attention_heads");
  sizes.keyHeads = own.keyHeadsGiven ? keys.size("num_key_value_heads") : keys.size("num_key_value_heads", sizes.heads);
  keys.requireDivides("num_attention_heads", sizes.heads, "num_key_value_heads", sizes.keyHeads);
  sizes.headSize = readHeadSize(keys, sizes.modelSize, sizes.heads, own.headSize);
  sizes.vocab = keys.size("vocab_size");
  sizes.epsilon = keys.number("rms_norm_eps", own.epsilon);
  sizes.activation = keys.activation("hidden_act", "silu");
  sizes.tied = keys.flag("tie_word_embeddings", false);
  sizes.attentionDropout = keys.rate("attention_dropout", 0);
  const std::int64_t positions = keys.size("max_position_embeddings", own.positions);
  sizes.rotary = readRotary(keys, own.theta, positions);
  sizes.batch = open.take("batch", usualBatch);
  sizes.seq = open.take("seq", std::min(positions, usualSeq), positions);
  return sizes;
}

ConfigModel modelOf(const DecoderSizes& sizes) {
  ConfigModel model{.graph = decoder(sizes), .layers = "layers.*", .layerCount = sizes.layers};
  if (sizes.mixture) model.notes.push_back(expertsNote(sizes.mixture->chosen, sizes.mixture->experts));
  return model;
}

// Qwen3: layers from max_window_layers on, and only where asked.
std::vector<std::int64_t> qwenWindows(const ConfigKeys& keys, std::int64_t layers) {
  const std::int64_t first = keys.count("max_window_layers", layers), window = keys.size("sliding_window", 4096);
  if (!keys.flag("use_sliding_window", false)) {
    keys.pass({"layer_types"});
    return {};
  }
  if (keys.has("layer_types")) return readWindows(keys, layers, window);
  std::vector<std::int64_t> windows;
  for (std::int64_t i = 0; i < layers; ++i) windows.push_back(i < first ? 0 : window);
  return windows;
}

MixtureSizes mixtureOf(const ConfigKeys& keys, const char* experts, const char* ffn) {
  MixtureSizes mixture{
      .experts = keys.size(experts), .chosen = keys.size("num_experts_per_tok"), .ffn = keys.size(ffn)};
  requireChosen(keys, "num_experts_per_tok", mixture.chosen, mixture.experts, experts);
  keys.onlyFlag("output_router_logits", false);
  keys.pass({"router_aux_loss_coef"});
  return mixture;
}

// Experts stand in every so many layers, but for those that are listed.
std::vector<bool> denseLayers(const ConfigKeys& keys, std::int64_t layers) {
  const std::int64_t step = keys.size("decoder_sparse_step", 1);
  std::vector<bool> dense;
  for (std::int64_t i = 0; i < layers; ++i) dense.push_back((i + 1) % step != 0);
  if (const auto listed = keys.find("mlp_only_layers"))
    listed->each([&](const JsonReader& item) { dense[static_cast<std::size_t>(item.integer(0, layers - 1))] = true; });
  return dense;
}

}  // namespace

ConfigModel readLlama(const ConfigKeys& keys, std::string_view, OpenSizes& open) {
  DecoderSizes sizes = sizesOf(keys, {.positions = 2048, .keyHeadsGiven = false}, open);
  sizes.ffn = keys.size("intermediate_size");
  sizes.attentionBias = sizes.outputBias = keys.flag("attention_bias", false);
  sizes.ffnBias = keys.flag("mlp_bias", false);
  keys.pass({"pretraining_tp"});
  return modelOf(sizes);
}

ConfigModel readMistral(const ConfigKeys& keys, std::string_view, OpenSizes& open) {
  DecoderSizes sizes = sizesOf(keys, {}, open);
  sizes.ffn = keys.size("intermediate_size");
  if (keys.has("sliding_window"))
    sizes.windows.assign(static_cast<std::size_t>(sizes.layers), keys.size("sliding_window"));
  return modelOf(sizes);
}

ConfigModel readMixtral(const ConfigKeys& keys, std::string_view, OpenSizes& open) {
  DecoderSizes sizes = sizesOf(keys, {.theta = 1e6, .epsilon = 1e-5}, open);
  sizes.mixture = mixtureOf(keys, "num_local_experts", "intermediate_size");
  if (keys.has("sliding_window"))
    sizes.windows.assign(static_cast<std::size_t>(sizes.layers), keys.size("sliding_window"));
  keys.onlySize("router_jitter_noise", 0);
  return modelOf(sizes);
}

ConfigModel readQwen3(const ConfigKeys& keys, std::string_view, OpenSizes& open) {
  DecoderSizes sizes = sizesOf(keys, {.headSize = 128}, open);
  sizes.ffn = keys.size("intermediate_size");
  sizes.attentionBias = sizes.outputBias = keys.flag("attention_bias", false);
  sizes.queryKeyNorm = true;
  sizes.windows = qwenWindows(keys, sizes.layers);
  return modelOf(sizes);
}

ConfigModel readQwen3Moe(const ConfigKeys& keys, std::string_view, OpenSizes& open) {
  DecoderSizes sizes = sizesOf(keys, {}, open);
  sizes.ffn = keys.size("intermediate_size");
  sizes.attentionBias = sizes.outputBias = keys.flag("attention_bias", false);
  sizes.queryKeyNorm = true;
  sizes.mixture = mixtureOf(keys, "num_experts", "moe_intermediate_size");
  sizes.mixture->normalised = keys.flag("norm_topk_prob", false);
  sizes.dense = denseLayers(keys, sizes.layers);
  keys.onlyFlag("use_sliding_window", false);
  keys.pass({"sliding_window", "max_window_layers"});
  return modelOf(sizes);
}

}  // namespace core
