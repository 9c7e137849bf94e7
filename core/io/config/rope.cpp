#include "core/io/config/rope.h"

#include <fmt/format.h>

#include <cmath>

namespace core {
namespace {

using Scaling = Rotary::Scaling;

constexpr std::pair<std::string_view, Scaling> scalings[] = {
    {"default", Scaling::none}, {"linear", Scaling::linear}, {"llama3", Scaling::llama3}, {"yarn", Scaling::yarn}};

std::optional<JsonReader> scalingOf(const ConfigKeys& keys) {
  auto parameters = keys.find("rope_parameters"), scaling = keys.find("rope_scaling");
  if (parameters && scaling)
    parameters->refuse("stands beside \"rope_scaling\"", "one of them: both say how positions are stretched");
  return parameters ? parameters : scaling;
}

double above(const ConfigKeys& scaling, const char* key) {
  if (!scaling.has(key)) scaling.reader().refuse(fmt::format("\"{}\" is missing", key), "a number above 0");
  return scaling.number(key, 1);
}

void readLlama3(const ConfigKeys& scaling, Rotary& rotary) {
  rotary.lowFrequency = above(scaling, "low_freq_factor");
  rotary.highFrequency = above(scaling, "high_freq_factor");
  rotary.trainedPositions = scaling.size("original_max_position_embeddings");
  if (rotary.highFrequency <= rotary.lowFrequency)
    scaling.find("high_freq_factor")
        ->refuse(fmt::format("{} is not above low_freq_factor {}", rotary.highFrequency, rotary.lowFrequency),
                 "a higher one");
}

void readYarn(const ConfigKeys& scaling, std::int64_t positions, Rotary& rotary) {
  rotary.fastTurns = scaling.number("beta_fast", 32);
  rotary.slowTurns = scaling.number("beta_slow", 1);
  rotary.wholeBorders = scaling.flag("truncate", true);
  rotary.trainedPositions = scaling.size("original_max_position_embeddings", positions);
  const double stretched = static_cast<double>(positions) / static_cast<double>(rotary.trainedPositions);
  if (scaling.has("original_max_position_embeddings") && std::abs(stretched - rotary.factor) > 1e-6)
    scaling.find("factor")->refuse(fmt::format("{}, but max_position_embeddings is {} times the original {}",
                                               rotary.factor, stretched, rotary.trainedPositions),
                                   fmt::format("{}", stretched));
  const auto weight = scaling.find("mscale"), all = scaling.find("mscale_all_dim");
  const double one = weight ? weight->finite() : 0, other = all ? all->finite() : 0;
  const double derived = one != 0 && other != 0
                             ? yarnMagnitude(rotary.factor, one) / yarnMagnitude(rotary.factor, other)
                             : yarnMagnitude(rotary.factor);
  rotary.magnitude = scaling.number("attention_factor", derived);
}

}  // namespace

Rotary readRotary(const ConfigKeys& keys, double theta, std::int64_t positions) {
  Rotary rotary{.theta = keys.number("rope_theta", theta)};
  if (const auto partial = keys.find("partial_rotary_factor"); partial && partial->finite() != 1)
    partial->refuse(fmt::format("{} is not supported", partial->finite()), "1: all of a head is turned");
  const auto found = scalingOf(keys);
  if (!found) return rotary;
  const ConfigKeys scaling(*found);
  rotary.theta = scaling.number("rope_theta", rotary.theta);
  const auto type = scaling.find(scaling.has("rope_type") ? "rope_type" : "type");
  scaling.pass({"type"});
  if (!type) found->refuse("\"rope_type\" is missing", "default, linear, llama3 or yarn");
  rotary.scaling = type->oneOf<Scaling>(scalings);
  if (rotary.scaling != Scaling::none) rotary.factor = above(scaling, "factor");
  if (rotary.scaling == Scaling::llama3) readLlama3(scaling, rotary);
  if (rotary.scaling == Scaling::yarn) readYarn(scaling, positions, rotary);
  for (const std::string& key : scaling.unread())
    found->refuse(fmt::format("\"{}\" is not known of the scaling \"{}\"", key, type->string()), "a key that it has");
  return rotary;
}

double readScoreMagnitude(const ConfigKeys& keys) {
  const auto found = scalingOf(keys);
  if (!found) return 1;
  const ConfigKeys scaling(*found);
  const auto weight = scaling.find("mscale_all_dim");
  if (!weight || weight->finite() == 0) return 1;
  const double magnitude = yarnMagnitude(above(scaling, "factor"), weight->finite());
  return magnitude * magnitude;
}

}  // namespace core
