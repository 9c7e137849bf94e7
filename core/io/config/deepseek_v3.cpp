#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/io/config/family.h"
#include "core/io/config/parts.h"
#include "core/io/config/rope.h"
#include "core/layers/deepseek.h"

namespace core {
namespace {

void readHeads(const ConfigKeys& keys, DeepseekSizes& sizes) {
  sizes.heads = keys.size("num_attention_heads");
  keys.onlySize("num_key_value_heads", sizes.heads);
  if (keys.has("q_lora_rank")) sizes.queryRank = keys.size("q_lora_rank");
  sizes.keyRank = keys.size("kv_lora_rank");
  sizes.plainSize = keys.size("qk_nope_head_dim");
  sizes.rotarySize = keys.size("qk_rope_head_dim");
  if (sizes.rotarySize % 2 != 0)
    keys.find("qk_rope_head_dim")
        ->refuse(fmt::format("{} elements", sizes.rotarySize), "an even number: rotary positions turn pairs");
  sizes.valueSize = keys.size("v_head_dim");
  keys.onlySize("qk_head_dim", sizes.plainSize + sizes.rotarySize);
  keys.onlySize("head_dim", sizes.rotarySize);
  sizes.attentionBias = keys.flag("attention_bias", false);
  sizes.attentionDropout = keys.rate("attention_dropout", 0);
}

void readExperts(const ConfigKeys& keys, DeepseekSizes& sizes) {
  sizes.denseLayers = std::min(keys.count("first_k_dense_replace", 3), sizes.layers);
  sizes.experts = keys.size("n_routed_experts");
  sizes.chosen = keys.size("num_experts_per_tok");
  sizes.groups = keys.size("n_group", 1);
  sizes.chosenGroups = keys.size("topk_group", 1);
  sizes.sharedExperts = keys.count("n_shared_experts", 0);
  sizes.expertFfn = keys.size("moe_intermediate_size");
  sizes.normalised = keys.flag("norm_topk_prob", true);
  sizes.routedScale = keys.number("routed_scaling_factor", 1);
  keys.requireDivides("n_routed_experts", sizes.experts, "n_group", sizes.groups);
  requireChosen(keys, "topk_group", sizes.chosenGroups, sizes.groups, "n_group");
  requireChosen(keys, "num_experts_per_tok", sizes.chosen, sizes.experts / sizes.groups * sizes.chosenGroups,
                "the experts of topk_group groups");
  keys.onlyText("scoring_func", "sigmoid");
  keys.onlyText("topk_method", "noaux_tc");
  keys.onlySize("moe_layer_freq", 1);
  keys.onlyFlag("output_router_logits", false);
  keys.pass({"ep_size", "aux_loss_alpha", "seq_aux", "router_aux_loss_coef", "pretraining_tp"});
}

}  // namespace

ConfigModel readDeepseekV3(const ConfigKeys& keys, std::string_view, OpenSizes& open) {
  DeepseekSizes sizes;
  sizes.layers = readLayers(keys, "num_hidden_layers");
  sizes.modelSize = keys.size("hidden_size");
  sizes.ffn = keys.size("intermediate_size");
  sizes.vocab = keys.size("vocab_size");
  sizes.epsilon = keys.number("rms_norm_eps", 1e-6);
  sizes.activation = keys.activation("hidden_act", "silu");
  sizes.tied = keys.flag("tie_word_embeddings", false);
  readHeads(keys, sizes);
  readExperts(keys, sizes);
  const std::int64_t positions = keys.size("max_position_embeddings");
  sizes.rotary = readRotary(keys, 10000, positions);
  sizes.pairs = keys.flag("rope_interleave", true) ? Pairs::neighbours : Pairs::halves;
  sizes.scoreScale = readScoreMagnitude(keys) / std::sqrt(static_cast<double>(sizes.plainSize + sizes.rotarySize));
  sizes.batch = open.take("batch", usualBatch);
  sizes.seq = open.take("seq", std::min(positions, usualSeq), positions);
  ConfigModel model{.graph = deepseek(sizes), .layers = "layers.*", .layerCount = sizes.layers - sizes.denseLayers};
  if (sizes.denseLayers < sizes.layers) model.notes.push_back(expertsNote(sizes.chosen, sizes.experts));
  if (keys.count("num_nextn_predict_layers", 0) > 0)
    model.notes.push_back(
        "the layers that predict a second token (num_nextn_predict_layers) are not built and not counted");
  return model;
}

}  // namespace core
