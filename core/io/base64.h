#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

std::string toBase64(std::span<const std::byte> bytes);
std::optional<std::vector<std::byte>> fromBase64(std::string_view text);  // none when it is no base64

}  // namespace core
