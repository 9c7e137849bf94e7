#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/graph/dtype.h"

namespace core {

// Numbers of one tensor as a file holds them, little-endian, row-major.
struct TensorFile {
  std::string name;  // the file's own, may be empty
  DType dtype = DType::f32;
  std::vector<std::int64_t> sizes;
  std::vector<std::byte> bytes;
};

// An ONNX TensorProto (input_0.pb) or a NumPy array (x.npy), told apart by their first bytes. Types that we lack become the
// next larger (int8 -> i32). Error when it is neither, is cut, or holds no numbers.
TensorFile readTensorFile(const std::string& path);
TensorFile readTensorBytes(std::span<const std::byte> file, const std::string& path);

}  // namespace core
