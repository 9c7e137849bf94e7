#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace core {

enum class FileKind { onnx, empty, lfsPointer, tensor, textProto, hlo, stableHlo, json, zip, gzip, text, unknown };

// What the first bytes say. `onnx` means: it may be a protobuf message that is no lone tensor.
FileKind detectFile(std::span<const std::byte> file);

// Why a file of this kind can't be read as a model and what would be right; throws Error for all but onnx.
void requireModel(std::span<const std::byte> file, const std::string& path);

}  // namespace core
