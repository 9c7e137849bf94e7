#include "core/layers/sizes.h"

#include <fmt/format.h>

#include "core/base/error.h"

namespace core {
namespace {

constexpr std::int64_t mostLayers = 10000;

}  // namespace

void requireSizes(const std::string& family, std::int64_t layers,
                  std::initializer_list<std::pair<const char*, std::int64_t>> sizes) {
  if (layers < 1 || layers > mostLayers)
    throw Error{.what = fmt::format("{} layers", layers), .where = family, .right = fmt::format("1 to {}", mostLayers)};
  for (const auto& [name, size] : sizes)
    if (size < 1) throw Error{.what = fmt::format("{} is {}", name, size), .where = family, .right = "1 or more"};
}

void requireDivides(const std::string& family, const char* wholeName, std::int64_t whole, const char* partsName,
                    std::int64_t parts) {
  if (parts < 1 || whole % parts != 0)
    throw Error{.what = fmt::format("{} {} is not a multiple of {} {}", wholeName, whole, partsName, parts),
                .where = family,
                .right = fmt::format("{} that divide {}", partsName, wholeName)};
}

void requirePlaces(const std::string& family, std::int64_t seq, std::int64_t positions) {
  if (positions < seq)
    throw Error{.what = fmt::format("seq {} is longer than the {} positions", seq, positions),
                .where = family,
                .right = "at least as many positions"};
}

}  // namespace core
