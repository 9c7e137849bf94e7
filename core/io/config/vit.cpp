#include "core/layers/vit.h"

#include <fmt/format.h>

#include "core/io/config/family.h"
#include "core/io/config/parts.h"

namespace core {
namespace {

struct Extent {
  std::int64_t height = 0, width = 0;
};

// A number for both, or [height, width].
Extent readExtent(const ConfigKeys& keys, std::string_view key, std::int64_t missing) {
  const auto found = keys.find(key);
  if (!found || !found->json().is_array()) {
    const std::int64_t both = keys.size(key, missing);
    return {both, both};
  }
  const std::vector<std::int64_t> sizes = found->list([](const JsonReader& item) { return item.integer(1, 1 << 20); });
  if (sizes.size() != 2) found->refuse(fmt::format("{} sizes", sizes.size()), "one, or height and width");
  return {sizes[0], sizes[1]};
}

// As many as the labels that have names; two where nothing is said.
std::int64_t readClasses(const ConfigKeys& keys) {
  const auto labels = keys.find("id2label");
  if (!labels) return keys.size("num_labels", 2);
  if (!labels->json().is_object() || labels->json().empty())
    labels->refuse("no object with labels", "{\"0\": \"cat\", ...}");
  return static_cast<std::int64_t>(labels->json().size());
}

}  // namespace

ConfigModel readVit(const ConfigKeys& keys, std::string_view, OpenSizes& open) {
  VitSizes sizes;
  sizes.layers = readLayers(keys, "num_hidden_layers");
  sizes.modelSize = keys.size("hidden_size");
  sizes.heads = keys.size("num_attention_heads");
  keys.requireDivides("hidden_size", sizes.modelSize, "num_attention_heads", sizes.heads);
  sizes.ffn = keys.size("intermediate_size");
  const Extent image = readExtent(keys, "image_size", 224), patch = readExtent(keys, "patch_size", 16);
  keys.requireDivides("image_size", image.height, "patch_size", patch.height);
  keys.requireDivides("image_size", image.width, "patch_size", patch.width);
  sizes.height = image.height, sizes.width = image.width;
  sizes.patchHeight = patch.height, sizes.patchWidth = patch.width;
  sizes.channels = keys.size("num_channels", 3);
  sizes.classes = readClasses(keys);
  sizes.activation = keys.activation("hidden_act", "gelu");
  sizes.epsilon = keys.number("layer_norm_eps", 1e-12);
  sizes.attentionBias = keys.flag("qkv_bias", true);
  sizes.hiddenDropout = keys.rate("hidden_dropout_prob", 0);
  sizes.attentionDropout = keys.rate("attention_probs_dropout_prob", 0);
  keys.pass({"encoder_stride", "pooler_output_size", "pooler_act"});
  sizes.batch = open.take("batch", usualBatch);
  return {
      .graph = vit(sizes),
      .layers = "encoder.layer.*",
      .layerCount = sizes.layers,
      .notes = {
          "to train a classifier the step's loss is to be cross-entropy: by itself it is the distance from a target"}};
}

}  // namespace core
