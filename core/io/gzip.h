#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace core {

// What a .gz holds. Error where it is cut or damaged, or holds more than 512 MiB or a thousand times its own size.
std::vector<std::byte> unpackGzip(std::span<const std::byte> file, const std::string& path);

}  // namespace core
