#pragma once

#include <string>

#include "core/cost/compare.h"

namespace core {

// "exact" and "differences", then every rank and every instruction: predicted beside counted and measured.
std::string printComparisonJson(const Comparison& comparison);

}  // namespace core
