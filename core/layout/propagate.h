#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"
#include "core/layout/layout.h"
#include "core/layout/sharding.h"
#include "core/layout/templates.h"
#include "core/mesh/mesh.h"

namespace core {

// Why a dimension of a tensor, or a loop of an operator, is split as it is.
enum class Origin : std::uint8_t { replicated, propagated, choice, rule, pin };
std::string_view toString(Origin origin);

struct TensorLayout {
  Sharding sharding;
  std::vector<Origin> origins;  // one a dimension
  std::string reason;           // in a sentence: "rule heads:model", "batch follows x through fc1/einsum"
  bool operator==(const TensorLayout&) const = default;
};

struct OperatorLayout {
  LoopAxes axes;
  std::vector<Origin> origins;  // one a loop
  std::string reason;
  bool operator==(const OperatorLayout&) const = default;
};

struct Decisions {
  std::vector<OperatorLayout> operators;
  std::vector<TensorLayout> tensors;  // wanted; what a value really has is decided where it is produced
};

// Which axes split each loop of each operator and each state, input and constant.
// From pins, rules and choices; what they leave open follows its neighbours, both ways through index expressions
// (GShard: Lepikhin et al. 2020, section 3.2), and where two claims meet on one axis the one that moves fewer bytes wins.
//
//   pin W1 [d_model, ffn:model]: the einsum that reads W1 splits ffn, so its result and W2 [ffn, d_model] are split too
Decisions propagate(const Graph& graph, const Templates& templates, const Layout& layout, const Mesh& mesh);

}  // namespace core
