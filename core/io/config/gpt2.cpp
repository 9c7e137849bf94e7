#include <algorithm>

#include "core/io/config/family.h"
#include "core/io/config/parts.h"
#include "core/layers/gpt.h"

namespace core {

ConfigModel readGpt2(const ConfigKeys& keys, std::string_view, OpenSizes& open) {
  GptSizes sizes;
  sizes.layers = readLayers(keys, "n_layer");
  sizes.modelSize = keys.size("n_embd");
  sizes.heads = keys.size("n_head");
  keys.requireDivides("n_embd", sizes.modelSize, "n_head", sizes.heads);
  sizes.ffn = keys.size("n_inner", 4 * sizes.modelSize);
  sizes.vocab = keys.size("vocab_size");
  sizes.positions = keys.size("n_positions");
  sizes.activation = keys.activation("activation_function", "gelu_new");
  sizes.epsilon = keys.number("layer_norm_epsilon", 1e-5);
  sizes.tied = keys.flag("tie_word_embeddings", true);
  sizes.embeddingDropout = keys.rate("embd_pdrop", 0.1);
  sizes.attentionDropout = keys.rate("attn_pdrop", 0.1);
  sizes.residualDropout = keys.rate("resid_pdrop", 0.1);
  keys.onlyFlag("scale_attn_weights", true);
  keys.onlyFlag("scale_attn_by_inverse_layer_idx", false);
  keys.onlyFlag("add_cross_attention", false);
  keys.pass({"n_ctx", "reorder_and_upcast_attn", "summary_activation", "summary_first_dropout",
             "summary_proj_to_labels", "summary_type", "summary_use_proj"});
  sizes.batch = open.take("batch", usualBatch);
  sizes.seq = open.take("seq", std::min(sizes.positions, usualSeq), sizes.positions);
  return {.graph = gpt(sizes), .layers = "h.*", .layerCount = sizes.layers};
}

}  // namespace core
