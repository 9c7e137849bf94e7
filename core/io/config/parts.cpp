#include "core/io/config/parts.h"

#include <fmt/format.h>

namespace core {
namespace {

constexpr std::int64_t mostLayers = 10000;

constexpr std::pair<std::string_view, bool> layerTypes[] = {{"full_attention", false}, {"sliding_attention", true}};

}  // namespace

std::int64_t readLayers(const ConfigKeys& keys, std::string_view key) {
  const std::int64_t layers = keys.size(key);
  if (layers > mostLayers) keys.find(key)->refuse(fmt::format("{} layers", layers), fmt::format("1 to {}", mostLayers));
  return layers;
}

std::int64_t readHeadSize(const ConfigKeys& keys, std::int64_t model, std::int64_t heads, std::int64_t otherwise) {
  const auto given = keys.find("head_dim");
  if (!given && otherwise == 0) keys.requireDivides("hidden_size", model, "num_attention_heads", heads);
  const std::int64_t size = keys.size("head_dim", otherwise == 0 ? model / heads : otherwise);
  if (size % 2 == 0) return size;
  const JsonReader at = given ? *given : *keys.find("num_attention_heads");
  at.refuse(fmt::format("heads of {} elements", size), "an even number: rotary positions turn pairs");
}

std::vector<std::int64_t> readWindows(const ConfigKeys& keys, std::int64_t layers, std::int64_t window) {
  std::vector<std::int64_t> windows;
  const auto types = keys.find("layer_types");
  if (!types) return windows;
  if (types->length() != static_cast<std::size_t>(layers))
    types->refuse(fmt::format("{} types for {} layers", types->length(), layers), "one for each layer");
  types->each([&](const JsonReader& item) { windows.push_back(item.oneOf<bool>(layerTypes) ? window : 0); });
  return windows;
}

void requireChosen(const ConfigKeys& keys, std::string_view key, std::int64_t chosen, std::int64_t experts,
                   std::string_view expertsKey) {
  if (chosen > experts)
    keys.find(key)->refuse(fmt::format("{} of {} experts", chosen, experts), fmt::format("at most {}", expertsKey));
}

std::string expertsNote(std::int64_t chosen, std::int64_t experts) {
  return fmt::format(
      "each token has {} of {} experts; here every expert computes every token and the others' weights are 0: the "
      "result is "
      "the same, the experts' flops and activations are {:.3g} times those of a kernel that skips them",
      chosen, experts, static_cast<double>(experts) / static_cast<double>(chosen));
}

}  // namespace core
