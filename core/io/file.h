#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// Files of text: read whole, written whole or not at all.

namespace core {

inline constexpr std::int64_t largestText = std::int64_t{1} << 30;

// Error when it is missing, no regular file, or larger than `largest`.
std::string readText(const std::string& path, std::int64_t largest = largestText);

// Under a temporary name beside it, synced, renamed: a reader finds the old text or the new one, whatever fails meanwhile.
void writeTextAtomically(const std::string& path, std::string_view text);

}  // namespace core
