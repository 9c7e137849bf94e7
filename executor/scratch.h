#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace executor {

// Memory for packing messages, used again from step to step.
class ScratchPool {
 public:
  // At least `bytes` long.
  std::vector<std::byte> take(std::int64_t bytes) {
    if (bytes == 0) return {};
    const auto wanted = static_cast<std::size_t>(bytes);
    auto fits = std::find_if(idle_.begin(), idle_.end(), [&](const auto& one) { return one.size() >= wanted && one.size() <= 2 * wanted + 4096; });
    if (fits == idle_.end()) {
      bytes_ += bytes;
      return std::vector<std::byte>(wanted);
    }
    std::vector<std::byte> taken = std::move(*fits);
    idle_.erase(fits);
    return taken;
  }
  void give(std::vector<std::byte> memory) {
    if (!memory.empty()) idle_.push_back(std::move(memory));
  }
  std::int64_t bytes() const { return bytes_; }  // all that was ever allocated; it stays

 private:
  std::vector<std::vector<std::byte>> idle_;
  std::int64_t bytes_ = 0;
};

}  // namespace executor
