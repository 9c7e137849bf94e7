#include "core/layers/bert.h"

#include <algorithm>

#include "core/io/config/family.h"
#include "core/io/config/parts.h"

namespace core {

ConfigModel readBert(const ConfigKeys& keys, std::string_view architecture, OpenSizes& open) {
  BertSizes sizes;
  sizes.head = architecture == "BertModel" ? BertSizes::Head::pooled : BertSizes::Head::maskedTokens;
  sizes.layers = readLayers(keys, "num_hidden_layers");
  sizes.modelSize = keys.size("hidden_size");
  sizes.heads = keys.size("num_attention_heads");
  keys.requireDivides("hidden_size", sizes.modelSize, "num_attention_heads", sizes.heads);
  sizes.ffn = keys.size("intermediate_size");
  sizes.vocab = keys.size("vocab_size");
  sizes.positions = keys.size("max_position_embeddings");
  sizes.tokenTypes = keys.size("type_vocab_size", 2);
  sizes.activation = keys.activation("hidden_act", "gelu");
  sizes.epsilon = keys.number("layer_norm_eps", 1e-12);
  sizes.tied = keys.flag("tie_word_embeddings", true);
  sizes.hiddenDropout = keys.rate("hidden_dropout_prob", 0.1);
  sizes.attentionDropout = keys.rate("attention_probs_dropout_prob", 0.1);
  keys.onlyText("position_embedding_type", "absolute");
  keys.onlyFlag("is_decoder", false);
  keys.onlyFlag("add_cross_attention", false);
  keys.pass({"classifier_dropout"});
  sizes.batch = open.take("batch", usualBatch);
  sizes.seq = open.take("seq", std::min(sizes.positions, usualSeq), sizes.positions);
  return {.graph = bert(sizes),
          .layers = "encoder.layer.*",
          .layerCount = sizes.layers,
          .notes = {"sequences are whole: there is no padding to mask"}};
}

}  // namespace core
