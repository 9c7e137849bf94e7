#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/labels.h"
#include "core/layout/propagate.h"

namespace core {

// What each tensor of a graph got. Tensors of equal layers share theirs: only their reasons differ, by the layer's number, and are made when
// they are asked for.
//
//   of h.1/attn/q:  "heads follows h.1/attn/q.weight";  h.7/attn/q has the same, with 7
class TensorLayouts {
 public:
  TensorLayouts() = default;
  TensorLayouts(std::vector<TensorLayout> each);  // one a tensor

  // One that tensors of equal layers share. Its reason follows the form with the layer's label; with none it is the same everywhere.
  struct Shared {
    TensorLayout layout;
    std::optional<NameForm> reason;
  };
  struct Use {
    std::size_t shared = 0;
    std::size_t label = 0;
  };
  // Per tensor a use of one of `shared`.
  TensorLayouts(std::vector<Shared> shared, std::vector<Use> uses, std::vector<std::string> labels);

  std::size_t size() const { return uses_.size(); }
  bool empty() const { return uses_.empty(); }
  const Sharding& sharding(std::size_t tensor) const { return shared_[uses_[tensor].shared].layout.sharding; }
  const std::vector<Origin>& origins(std::size_t tensor) const { return shared_[uses_[tensor].shared].layout.origins; }
  std::string reason(std::size_t tensor) const;
  TensorLayout operator[](std::size_t tensor) const { return {sharding(tensor), origins(tensor), reason(tensor)}; }

 private:
  std::vector<Shared> shared_;
  std::vector<Use> uses_;
  std::vector<std::string> labels_;
};

}  // namespace core
