#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/layout/layout.h"

namespace core {

// The dimension that a name means, aliases followed.
std::optional<DimId> resolveDim(const Graph& graph, std::string_view name);

// Which tensors a pin means: a name is looked up, a glob is compared with all.
class PinnedTensors {
 public:
  PinnedTensors(const Layout& layout, const Graph& graph);
  std::vector<TensorId> of(const std::string& pattern) const;

 private:
  const Graph& graph_;
  std::unordered_map<std::string_view, std::vector<TensorId>> named_;  // empty where all pins are globs
};

// A layout's names as ids of one graph and mesh. Names that they lack are left out: check() reports them.
struct ResolvedLayout {
  std::vector<AxisList> rules;      // per dimension; empty = no rule, or a rule without axes
  std::vector<bool> ruled;          // per dimension: has a rule
  std::map<TensorId, std::pair<std::vector<AxisList>, std::string>> pins;                 // per dimension of the tensor; the pin's text
  std::map<std::pair<std::string, std::string>, AxisList> choices;                        // (operator, loop)

  // Axes that pin or rule want for dimension d of a tensor.
  const AxisList& wanted(TensorId tensor, std::size_t d, DimId dim) const {
    const auto pin = pins.find(tensor);
    return pin == pins.end() ? rules[dim.index()] : pin->second.first[d];
  }
};

ResolvedLayout resolve(const Layout& layout, const Graph& graph, const Mesh& mesh);

}  // namespace core
