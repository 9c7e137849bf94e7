#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/io/positional.h"

// What the folders of values share.

namespace core::folding {

inline constexpr std::int64_t mostElements = std::int64_t{1} << 24;

using Inputs = std::vector<positional::DataPtr>;
using Folder = std::optional<positional::Data> (*)(const positional::Node&, const Inputs&, const positional::Model&);

bool fits(const positional::Sizes& sizes);  // not negative, and no more than that
positional::Data empty(DType dtype, positional::Sizes sizes);
void copyElement(const positional::Data& from, std::size_t i, positional::Data& to, std::size_t j);

const std::map<std::string, Folder>& movers();  // Concat, Gather, Slice, Reshape, Transpose, ...

}  // namespace core::folding
