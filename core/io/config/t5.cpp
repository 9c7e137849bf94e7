#include "core/layers/t5.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/io/config/family.h"
#include "core/io/config/parts.h"

namespace core {
namespace {

// "relu", "gated-gelu": a function, and whether a gate stands beside it. The gated GELU is the one by tanh.
void readFeedForward(const ConfigKeys& keys, T5Sizes& sizes) {
  constexpr std::string_view gate = "gated-";
  std::string name = keys.text("feed_forward_proj", "relu");
  sizes.gated = name.starts_with(gate);
  if (sizes.gated) name.erase(0, gate.size());
  if (sizes.gated && name == "gelu") name = "gelu_new";
  const auto at = keys.find("feed_forward_proj");
  sizes.activation = readActivation(at ? *at : keys.reader(), name);
  keys.pass({"dense_act_fn", "is_gated_act"});
}

void readPositions(const ConfigKeys& keys, T5Sizes& sizes) {
  sizes.buckets = keys.size("relative_attention_num_buckets", 32);
  sizes.farthest = keys.size("relative_attention_max_distance", 128);
  if (sizes.buckets % 4 != 0)
    keys.find("relative_attention_num_buckets")
        ->refuse(fmt::format("{} buckets", sizes.buckets),
                 "a multiple of 4: halves for both ways, and for near and far");
  if (sizes.farthest > sizes.buckets / 2) return;
  const auto at = keys.find("relative_attention_max_distance");
  (at ? *at : keys.reader())
      .refuse(fmt::format("a farthest distance of {}", sizes.farthest),
              fmt::format("more than {}, half of the buckets", sizes.buckets / 2));
}

}  // namespace

ConfigModel readT5(const ConfigKeys& keys, std::string_view, OpenSizes& open) {
  T5Sizes sizes;
  sizes.layers = readLayers(keys, "num_layers");
  sizes.decoderLayers = keys.has("num_decoder_layers") ? readLayers(keys, "num_decoder_layers") : sizes.layers;
  sizes.modelSize = keys.size("d_model");
  sizes.heads = keys.size("num_heads");
  sizes.headSize = keys.size("d_kv");
  sizes.ffn = keys.size("d_ff");
  sizes.vocab = keys.size("vocab_size");
  sizes.epsilon = keys.number("layer_norm_epsilon", 1e-6);
  sizes.tied = keys.flag("tie_word_embeddings", true);
  sizes.dropout = keys.rate("dropout_rate", 0.1);
  sizes.initialScale = keys.number("initializer_factor", 1);
  readFeedForward(keys, sizes);
  readPositions(keys, sizes);
  keys.onlyFlag("is_encoder_decoder", true);
  keys.pass({"classifier_dropout", "output_past"});
  const std::int64_t usual = keys.size("n_positions", 512);
  sizes.batch = open.take("batch", usualBatch);
  sizes.seq = open.take("seq", usual);
  sizes.targetSeq = open.take("target_seq", usual);
  return {.graph = t5(sizes),
          .layers = "encoder.block.*",
          .layerCount = sizes.layers,
          .notes = {"sequences are whole: there is no padding to mask"}};
}

}  // namespace core
