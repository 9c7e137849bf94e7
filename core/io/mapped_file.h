#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace core {

// A file's bytes, read where they are touched. Error when there is no such file, or it is a directory, or it can't be read.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(data_), size_}; }

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace core
