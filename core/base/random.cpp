#include "core/base/random.h"

#include <cassert>
#include <cmath>
#include <numbers>

#include "core/base/hash.h"

namespace core {
namespace {

constexpr std::uint32_t multiplier0 = 0xD2511F53, multiplier1 = 0xCD9E8D57;
constexpr std::uint32_t weyl0 = 0x9E3779B9, weyl1 = 0xBB67AE85;
constexpr int rounds = 10;

constexpr std::uint32_t low(std::uint64_t word) {
  return static_cast<std::uint32_t>(word);
}
constexpr std::uint32_t high(std::uint64_t word) {
  return static_cast<std::uint32_t>(word >> 32);
}

// A seed's neighbours must not be its neighbours under the cipher's key (the finalizer of splitmix64).
constexpr std::uint64_t scramble(std::uint64_t word) {
  word += 0x9E3779B97F4A7C15u;
  word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
  word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
  return word ^ (word >> 31);
}

}  // namespace

PhiloxBlock philox(PhiloxBlock counter, PhiloxKey key) {
  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t product0 = std::uint64_t{multiplier0} * counter[0];
    const std::uint64_t product1 = std::uint64_t{multiplier1} * counter[2];
    counter = {high(product1) ^ counter[1] ^ key[0], low(product1), high(product0) ^ counter[3] ^ key[1],
               low(product0)};
    key = {key[0] + weyl0, key[1] + weyl1};
  }
  return counter;
}

RandomKey randomKey(std::uint64_t seed, std::string_view name, std::uint32_t step, std::uint32_t microbatch) {
  return {.seed = seed, .name = hashText(name), .step = step, .microbatch = microbatch};
}

PhiloxBlock wordsAt(const RandomKey& key, std::uint64_t index) {
  const std::uint64_t mixed = scramble(key.seed) ^ key.name;
  return philox({low(index), high(index), key.step, key.microbatch}, {low(mixed), high(mixed)});
}

double uniformAt(const RandomKey& key, std::uint64_t index) {
  return (wordsAt(key, index)[0] >> 8) * 0x1p-24;
}

double normalAt(const RandomKey& key, std::uint64_t index) {
  const PhiloxBlock words = wordsAt(key, index);
  const double radius = std::sqrt(-2 * std::log((words[0] + 1.0) * 0x1p-32));  // of (0, 1]: no logarithm of zero
  return radius * std::cos(2 * std::numbers::pi * (words[1] * 0x1p-32));
}

std::uint64_t integerAt(const RandomKey& key, std::uint64_t index, std::uint64_t below) {
  assert(below > 0 && "there is no number below zero");
  const PhiloxBlock words = wordsAt(key, index);
  const std::uint64_t word = (std::uint64_t{words[0]} << 32) | words[1];
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(word) * below) >> 64);
}

}  // namespace core
