#pragma once

#include <array>
#include <cstdint>
#include <string_view>

// Random numbers that depend on nothing but what they are for: number `index` of a key is the same on every
// rank, in every layout and in any order of asking. Philox 4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel
// random numbers: as easy as 1, 2, 3", SC 2011).
//
//   RandomKey key = randomKey(seed, "h.0.attn.c_attn.weight");
//   double w = 0.02 * normalAt(key, globalRowMajorIndex);

namespace core {

// Philox itself: ten rounds of a counter under a key.
using PhiloxBlock = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;
PhiloxBlock philox(PhiloxBlock counter, PhiloxKey key);

struct RandomKey {
  std::uint64_t seed = 0;
  std::uint64_t name = 0;  // hash of the stable name of the operator or state
  std::uint32_t step = 0;
  std::uint32_t microbatch = 0;
  bool operator==(const RandomKey&) const = default;
};
RandomKey randomKey(std::uint64_t seed, std::string_view name, std::uint32_t step = 0, std::uint32_t microbatch = 0);

PhiloxBlock wordsAt(const RandomKey& key, std::uint64_t index);  // four words of 32 bits
double uniformAt(const RandomKey& key, std::uint64_t index);     // in [0, 1), a multiple of 2^-24: exact in f32 too
double normalAt(const RandomKey& key, std::uint64_t index);      // mean 0, standard deviation 1
std::uint64_t integerAt(const RandomKey& key, std::uint64_t index, std::uint64_t below);  // in [0, below)

}  // namespace core
