#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/graph/dtype.h"
#include "core/io/positional.h"

// Element types as ONNX numbers them, and their bytes.

namespace core {

std::optional<DType> storedAs(int onnxType);       // the same type; nothing where we lack it (int8, uint16, ...)
std::optional<DType> readAs(int onnxType);         // storedAs, else the next larger that we have; nothing for text and complex numbers
std::int64_t onnxByteSize(int onnxType);           // 0 when unknown
std::string_view onnxTypeName(int onnxType);       // "uint8"
int onnxTypeOf(DType type);

// `bytes` are little-endian, row-major, as many as `sizes` say (checked by the caller).
positional::Data readElements(std::span<const std::byte> bytes, int onnxType, const positional::Sizes& sizes);
std::vector<std::byte> writeElements(const positional::Data& data);  // of data.dtype

}  // namespace core
