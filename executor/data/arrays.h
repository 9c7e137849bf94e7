#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/graph/dtype.h"
#include "core/io/mapped_file.h"

namespace executor {

// A .npy file of NumPy, little-endian and in C order. Error for anything else, or a file that is cut.
class NpyFile {
 public:
  explicit NpyFile(const std::string& path);
  core::DType dtype() const { return dtype_; }
  const std::vector<std::int64_t>& sizes() const { return sizes_; }
  double number(std::int64_t index) const;  // by row-major index
  const std::byte* data() const { return file_->bytes().data() + offset_; }

 private:
  std::unique_ptr<core::MappedFile> file_;
  core::DType dtype_ = core::DType::f32;
  std::vector<std::int64_t> sizes_;
  std::int64_t offset_ = 0;
};

}  // namespace executor
