#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "core/tdl/expression.h"

namespace core {

// One step of a reduction: NaN passes through max and min as through a sum.
inline double combine(Reduction reduction, double a, double b) {
  switch (reduction) {
    case Reduction::sum:
      return a + b;
    case Reduction::product:
      return a * b;
    case Reduction::max:
      return a > b || std::isnan(a) ? a : b;
    case Reduction::min:
      return a < b || std::isnan(a) ? a : b;
    case Reduction::logicalAnd:
      return a != 0 && b != 0;
    case Reduction::logicalOr:
      return a != 0 || b != 0;
  }
  return a;
}

std::optional<Reduction> findReduction(std::string_view name);  // "sum"

}  // namespace core
