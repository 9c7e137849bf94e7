#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "executor/held.h"

namespace executor {

// The one block that all planned buffers of a rank lie in, at the offsets that were planned. 64-byte aligned.
class Arena {
 public:
  explicit Arena(std::int64_t bytes);
  std::byte* at(std::int64_t offset) { return data_.get() + offset; }
  std::int64_t bytes() const { return bytes_; }
  std::span<std::byte> all() { return {data_.get(), static_cast<std::size_t>(bytes_)}; }

 private:
  struct Free {
    void operator()(std::byte* data) const;
  };
  std::int64_t bytes_ = 0;
  std::unique_ptr<std::byte, Free> data_;
};

// What must not be read any more: all bits set, which is a NaN in every floating type and -1 in the others.
void poison(std::span<std::byte> bytes);

}  // namespace executor
