#include "tests/support/random.h"

#include <cstdio>
#include <cstdlib>

namespace tests {

std::uint64_t seed() {
  static const std::uint64_t chosen = [] {
    const char* given = std::getenv("MESHWRIGHT_SEED");
    const std::uint64_t number = given ? std::strtoull(given, nullptr, 10) : 1;
    std::fprintf(stderr, "seed %llu (MESHWRIGHT_SEED)\n", static_cast<unsigned long long>(number));
    return number;
  }();
  return chosen;
}

Random::Random(std::string_view name) : key_(core::randomKey(seed(), name)) {}

std::int64_t Random::integer(std::int64_t least, std::int64_t most) {
  return least +
         static_cast<std::int64_t>(core::integerAt(key_, drawn_++, static_cast<std::uint64_t>(most - least) + 1));
}

double Random::uniform(double low, double high) {
  return low + (high - low) * core::uniformAt(key_, drawn_++);
}

double Random::normal() {
  return core::normalAt(key_, drawn_++);
}

std::int64_t elementsOf(std::span<const std::int64_t> sizes) {
  std::int64_t count = 1;
  for (std::int64_t size : sizes) count *= size;
  return count;
}

core::Array normalArray(Random& random, std::vector<std::int64_t> sizes) {
  core::Array array{std::move(sizes), {}};
  array.values.resize(static_cast<std::size_t>(elementsOf(array.sizes)));
  for (double& value : array.values) value = random.normal();
  return array;
}

core::Array integerArray(Random& random, std::vector<std::int64_t> sizes, std::int64_t least, std::int64_t most) {
  core::Array array{std::move(sizes), {}};
  array.values.resize(static_cast<std::size_t>(elementsOf(array.sizes)));
  for (double& value : array.values) value = static_cast<double>(random.integer(least, most));
  return array;
}

}  // namespace tests
