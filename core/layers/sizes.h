#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>

namespace core {

// Error unless every size is 1 or more, and there are at most 10000 layers.
void requireSizes(const std::string& family, std::int64_t layers,
                  std::initializer_list<std::pair<const char*, std::int64_t>> sizes);

// Error unless `parts` divides `whole`.
void requireDivides(const std::string& family, const char* wholeName, std::int64_t whole, const char* partsName,
                    std::int64_t parts);

// Error unless a sequence of `seq` has places among `positions`.
void requirePlaces(const std::string& family, std::int64_t seq, std::int64_t positions);

}  // namespace core
