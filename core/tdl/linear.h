#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/tdl/expression.h"
#include "core/tdl/parse.h"

namespace core {

using LoopScope = std::map<std::string, std::vector<int>>;  // a name -> its loop; "*b" -> the loops of its dimensions

// The index as a sum of loops with whole factors, perhaps divided and cut by constants; none when it is anything else.
std::optional<AxisIndex> affineIndex(const Term& term, const LoopScope& scope,
                                     const std::map<std::string, std::int64_t>& integers);

// The same index with each loop once, in the order in which they come first, and none with factor 0.
std::vector<LoopTerm> collected(const std::vector<LoopTerm>& terms);

}  // namespace core
