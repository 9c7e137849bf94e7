#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "core/graph/graph.h"
#include "core/layout/sharding.h"

namespace executor {

// Reads parts of a tensor in a file. Every chunk that is touched is read whole and must have the hash that it had at import.
class FileShard {
 public:
  // Error when the file is missing, has another size than at import, or the tensor does not fill what was noted.
  FileShard(const core::FileSource& source, std::int64_t elements, std::string tensor, const std::string& folder);

  // take(first linear index, bytes as stored, count): pieces of the runs (ascending linear indices), in order.
  using Take = std::function<void(std::int64_t, const std::byte*, std::int64_t)>;
  void read(std::span<const core::Range> runs, const Take& take) const;

 private:
  std::vector<std::byte> readChunk(std::int64_t chunk) const;

  const core::FileSource& source_;
  std::string tensor_;
  std::string path_;
};

}  // namespace executor
