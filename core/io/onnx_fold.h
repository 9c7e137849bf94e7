#pragma once

#include <optional>
#include <vector>

#include "core/io/positional.h"

namespace core {

// The result of a node whose inputs are all known, where it is one that shapes, indices and masks are computed with
// (Gather, Concat, Slice, Range, Where, Cast, arithmetic, ...); nothing for others. Left-out inputs are null.
std::optional<positional::Data> fold(const positional::Node& node, const std::vector<positional::DataPtr>& inputs, const positional::Model& model);

// Slice's bounds, one row an axis that it cuts; the same for attributes (opset < 10) and inputs.
struct Cut {
  std::size_t axis = 0;
  std::int64_t start = 0;
  std::int64_t step = 1;
  std::int64_t count = 0;
  bool operator==(const Cut&) const = default;
};
std::optional<std::vector<Cut>> sliceCuts(const positional::Node& node, const std::vector<positional::DataPtr>& inputs, const positional::Sizes& sizes);

// Axes that an operator names by attribute or by its second input, made positive and sorted; nothing when it names none.
std::optional<std::vector<std::int64_t>> axesOf(const positional::Node& node, const positional::DataPtr& input, std::size_t rank);

}  // namespace core
