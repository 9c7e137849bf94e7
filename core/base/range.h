#pragma once

#include <cstdint>

namespace core {

// A run of indices of one dimension or loop.
struct Range {
  std::int64_t start = 0;
  std::int64_t size = 0;
  std::int64_t end() const { return start + size; }
  bool contains(std::int64_t index) const { return index >= start && index < end(); }
  bool operator==(const Range&) const = default;
};

}  // namespace core
