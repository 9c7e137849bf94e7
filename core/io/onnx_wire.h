#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

// The outer form of an ONNX file (protobuf's wire format), read without loading what is large.
//
// Weights stand inside the file as raw_data of a TensorProto. They are not copied: each becomes a reference to a piece
// of the file itself, in the form that ONNX has for data beside the file. So whoever parses what is returned meets one kind
// of weight only, and knows the offset of each.
//
//   initializer { dims: 64 dims: 24 data_type: 1 raw_data: "..6144 bytes.." }
//   initializer { dims: 64 dims: 24 data_type: 1 data_location: EXTERNAL external_data { location: selfLocation, offset: 137, length: 6144 } }

namespace core {

inline constexpr std::string_view selfLocation = "\x01self";

// Error when the bytes are cut or are no protobuf message, with the place and what stood there.
std::string referToWeights(std::span<const std::byte> file, const std::string& path);

// What a file begins with that is no model but known: fields of a TensorProto.
bool looksLikeTensor(std::span<const std::byte> file);

}  // namespace core
