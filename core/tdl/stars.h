#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/tdl/bind.h"

namespace core {

struct StarDim {
  std::string name;
  std::int64_t size = 0;
  DimId id;
};
using Stars = std::map<std::string, std::vector<StarDim>>;

// What each *b stands for: the union by name over all reads of it, the longest read's order first.
Stars findStars(const Definition& definition, const Bindings& bindings);

// The dimensions of an operand that the one *b in this read takes: those that its other indices leave.
std::vector<StarDim> starOf(const BoundOperand& operand, const Term& read);

}  // namespace core
