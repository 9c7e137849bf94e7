#include "core/tdl/reduction.h"

#include <array>
#include <limits>

namespace core {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::array<std::string_view, 6> names{"sum", "product", "max", "min", "and", "or"};
constexpr std::array<double, 6> identities{0, 1, -infinity, infinity, 1, 0};

}  // namespace

double identityOf(Reduction reduction) {
  return identities[static_cast<std::size_t>(reduction)];
}

std::string_view toString(Reduction reduction) {
  return names[static_cast<std::size_t>(reduction)];
}

std::optional<Reduction> findReduction(std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return static_cast<Reduction>(i);
  return std::nullopt;
}

}  // namespace core
