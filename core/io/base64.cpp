#include "core/io/base64.h"

#include <array>
#include <cstdint>

namespace core {
namespace {

constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<std::int8_t, 256> values = [] {
  std::array<std::int8_t, 256> table{};
  table.fill(-1);
  for (std::size_t i = 0; i < digits.size(); ++i) table[static_cast<unsigned char>(digits[i])] = static_cast<std::int8_t>(i);
  return table;
}();

}  // namespace

std::string toBase64(std::span<const std::byte> bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t have = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k) word = word << 8 | (k < have ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += k <= have ? digits[word >> (18 - 6 * k) & 63u] : '=';
  }
  return text;
}

std::optional<std::vector<std::byte>> fromBase64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && !text.empty() && text.back() == '=') text.remove_suffix(1), ++padding;
  std::vector<std::byte> bytes;
  bytes.reserve((text.size() * 3) / 4);
  std::uint32_t word = 0;
  int bits = 0;
  for (unsigned char c : text) {
    if (values[c] < 0) return std::nullopt;
    word = (word << 6 | static_cast<std::uint32_t>(values[c])) & 0xFFFFFFu;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push_back(static_cast<std::byte>(word >> bits & 0xFFu));
  }
  // What is left over holds no data; anything but zeros there would be another text for the same bytes.
  if (word & ((1u << bits) - 1u)) return std::nullopt;
  return bytes;
}

}  // namespace core
