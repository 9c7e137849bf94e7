#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/random.h"
#include "core/tdl/evaluate.h"

// Numbers for tests: the same in every run unless $MESHWRIGHT_SEED says otherwise.

namespace tests {

std::uint64_t seed();  // $MESHWRIGHT_SEED, else 1; written to stderr once, so that a failure can be repeated

class Random {
 public:
  explicit Random(std::string_view name);  // of the test: each has numbers of its own

  std::int64_t integer(std::int64_t least, std::int64_t most);  // both may come
  double uniform(double low = 0, double high = 1);
  double normal();
  bool chance(double probability) { return uniform() < probability; }

  template <class Container>
  const auto& pick(const Container& values) {
    return values[static_cast<std::size_t>(integer(0, static_cast<std::int64_t>(values.size()) - 1))];
  }

 private:
  core::RandomKey key_;
  std::uint64_t drawn_ = 0;
};

core::Array normalArray(Random& random, std::vector<std::int64_t> sizes);
core::Array integerArray(Random& random, std::vector<std::int64_t> sizes, std::int64_t least, std::int64_t most);
std::int64_t elementsOf(std::span<const std::int64_t> sizes);

}  // namespace tests
