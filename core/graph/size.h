#pragma once

#include <cstdint>
#include <string>

// Products and sums of sizes that say so when they leave 64 bits.

namespace core {

std::int64_t checkedProduct(std::int64_t a, std::int64_t b,
                            const std::string& where);  // Error naming `where` on overflow
std::int64_t checkedSum(std::int64_t a, std::int64_t b, const std::string& where);

}  // namespace core
