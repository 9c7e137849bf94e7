#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace core {

// XXH3, 64 bits: the same on every machine, so it may be written to files.
std::uint64_t hashBytes(std::span<const std::byte> bytes);
std::uint64_t hashText(std::string_view text);
std::uint64_t hashCombine(std::uint64_t first, std::uint64_t second);  // order matters

// Another number into a hash, in a few instructions; for tables in memory, never for files.
constexpr std::uint64_t hashWith(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15ull;
  return hash ^ (hash >> 29);
}

// Tensor data is hashed in pieces, so that a rank can check just those it reads.
inline constexpr std::int64_t hashChunkBytes = std::int64_t{16} << 20;
std::vector<std::uint64_t> hashChunks(
    std::span<const std::byte> bytes);  // one for each chunk, the last one may be short

}  // namespace core
