#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace core {

// bf16 is a storage type: priced everywhere, computed nowhere yet.
enum class DType : std::uint8_t { f32, f64, bf16, f16, i32, i64, boolean };

std::int64_t byteSize(DType type);          // one element
std::string_view toString(DType type);      // "f32"
DType parseDType(const std::string& text);  // Error when there is none of that name
bool isFloating(DType type);

}  // namespace core
