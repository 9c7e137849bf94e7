#include "core/layout/tensor_layouts.h"

#include <utility>

namespace core {

TensorLayouts::TensorLayouts(std::vector<TensorLayout> each) {
  for (TensorLayout& layout : each) {
    uses_.push_back({shared_.size(), 0});
    shared_.push_back({std::move(layout), {}});
  }
}

TensorLayouts::TensorLayouts(std::vector<Shared> shared, std::vector<Use> uses, std::vector<std::string> labels)
    : shared_(std::move(shared)), uses_(std::move(uses)), labels_(std::move(labels)) {}

std::string TensorLayouts::reason(std::size_t tensor) const {
  const Shared& shared = shared_[uses_[tensor].shared];
  return shared.reason ? shared.reason->at(uses_[tensor].label, labels_) : shared.layout.reason;
}

}  // namespace core
