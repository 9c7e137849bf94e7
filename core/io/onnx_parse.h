#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/io/positional.h"

namespace core {

// An ONNX file as a positional graph: functions inlined, Constant nodes made values, nodes in an order in which they can run,
// weights by reference. `path` is where the bytes are from. Error when they are no model.
positional::Model parseOnnx(std::span<const std::byte> file, const std::string& path);

// A TensorProto (input_0.pb). Error when it is none.
struct OnnxTensor {
  std::string name;
  int onnxType = 0;
  positional::Sizes sizes;
  std::vector<std::byte> bytes;  // little-endian, of onnxType
};
OnnxTensor parseOnnxTensor(std::span<const std::byte> file, const std::string& path);

}  // namespace core
