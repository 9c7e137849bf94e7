#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/ops/builder.h"

// Mixture of experts. A router gives each token a weight for each expert, 0 for all but the few that it chose; every
// expert then computes every token and the weights add up the results. So nothing is dropped and no expert overflows,
// as the published models have it; what differs is the work: all experts in place of the chosen ones.

namespace core {

// True for the `count` greatest along `dim`; of equal ones the first. Each is compared with each: [.. dim dim_2].
TensorId greatest(GraphBuilder& build, const std::string& scope, TensorId x, DimId dim, std::int64_t count);

struct Router {
  DimId model, experts;
  std::int64_t chosen = 2;  // experts a token
  bool normalised = true;   // the chosen weights add up to 1
};

// Softmax over all experts, the greatest kept: [.. experts]. Parameter NAME.weight.
TensorId softmaxRouter(GraphBuilder& build, const std::string& name, TensorId x, const Router& options);

struct Experts {
  DimId model, experts, ffn;
  bool bias = false;
  // What becomes of gate and up, [.. experts ffn] each.
  std::function<TensorId(const std::string& scope, TensorId gate, TensorId up)> gated;
};

// Gated feed-forward blocks side by side, added up by `weights` [.. experts]. Parameters NAME.gate_proj, .up_proj
// [experts model ffn] and NAME.down_proj [experts ffn model].
TensorId experts(GraphBuilder& build, const std::string& name, TensorId x, TensorId weights, const Experts& options);

}  // namespace core
