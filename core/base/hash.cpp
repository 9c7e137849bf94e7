#include "core/base/hash.h"

#include <xxhash.h>

#include <algorithm>
#include <array>

namespace core {

std::uint64_t hashBytes(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::uint64_t hashText(std::string_view text) {
  return XXH3_64bits(text.data(), text.size());
}

std::uint64_t hashCombine(std::uint64_t first, std::uint64_t second) {
  const std::array<std::uint64_t, 2> both{first, second};
  return XXH3_64bits(both.data(), sizeof both);
}

std::vector<std::uint64_t> hashChunks(std::span<const std::byte> bytes) {
  constexpr auto chunk = static_cast<std::size_t>(hashChunkBytes);
  std::vector<std::uint64_t> hashes;
  for (std::size_t at = 0; at < bytes.size(); at += chunk)
    hashes.push_back(hashBytes(bytes.subspan(at, std::min(chunk, bytes.size() - at))));
  return hashes;
}

}  // namespace core
