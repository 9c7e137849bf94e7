#include "core/layers/gpt_oss.h"

#include <algorithm>

#include "core/io/config/family.h"
#include "core/io/config/parts.h"
#include "core/io/config/rope.h"

namespace core {
namespace {

// By turns where the file does not say, a window first.
std::vector<std::int64_t> windowsOf(const ConfigKeys& keys, std::int64_t layers) {
  const std::int64_t window = keys.size("sliding_window", 128);
  std::vector<std::int64_t> windows = readWindows(keys, layers, window);
  for (std::int64_t i = static_cast<std::int64_t>(windows.size()); i < layers; ++i)
    windows.push_back(i % 2 == 0 ? window : 0);
  return windows;
}

}  // namespace

ConfigModel readGptOss(const ConfigKeys& keys, std::string_view, OpenSizes& open) {
  GptOssSizes sizes;
  sizes.layers = readLayers(keys, "num_hidden_layers");
  sizes.modelSize = keys.size("hidden_size");
  sizes.heads = keys.size("num_attention_heads");
  sizes.keyHeads = keys.size("num_key_value_heads");
  keys.requireDivides("num_attention_heads", sizes.heads, "num_key_value_heads", sizes.keyHeads);
  sizes.headSize = readHeadSize(keys, sizes.modelSize, sizes.heads, 64);
  sizes.experts = keys.size("num_local_experts");
  sizes.chosen = keys.size("num_experts_per_tok");
  requireChosen(keys, "num_experts_per_tok", sizes.chosen, sizes.experts, "num_local_experts");
  keys.onlySize("experts_per_token", sizes.chosen);
  sizes.ffn = keys.size("intermediate_size");
  sizes.vocab = keys.size("vocab_size");
  sizes.epsilon = keys.number("rms_norm_eps", 1e-5);
  sizes.limit = keys.number("swiglu_limit", 7);
  sizes.attentionBias = keys.flag("attention_bias", true);
  sizes.tied = keys.flag("tie_word_embeddings", false);
  sizes.attentionDropout = keys.rate("attention_dropout", 0);
  sizes.windows = windowsOf(keys, sizes.layers);
  keys.onlyText("hidden_act", "silu");
  keys.onlyFlag("output_router_logits", false);
  keys.pass({"router_aux_loss_coef", "initial_context_length"});
  const std::int64_t positions = keys.size("max_position_embeddings");
  sizes.rotary = readRotary(keys, 150000, positions);
  sizes.batch = open.take("batch", usualBatch);
  sizes.seq = open.take("seq", std::min(positions, usualSeq), positions);
  return {.graph = gptOss(sizes),
          .layers = "layers.*",
          .layerCount = sizes.layers,
          .notes = {expertsNote(sizes.chosen, sizes.experts)}};
}

}  // namespace core
