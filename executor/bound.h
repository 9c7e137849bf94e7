#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/spmd/program.h"

namespace executor {

// Which buffers of a rank hold something, and how much that was at most. A buffer that lies in another's bytes takes none of its own,
// and is bound and freed with it.
class Bound {
 public:
  explicit Bound(const core::Program& program);
  void reset();                        // only what is persistent
  void bind(core::BufferId id);
  void release(core::BufferId id);
  // Do bytes [offset, offset + size) belong to a bound buffer?
  bool overlaps(std::int64_t offset, std::int64_t size) const;
  const std::array<std::int64_t, core::memoryClasses>& peak() const { return peak_; }

 private:
  core::BufferId root(core::BufferId id) const;

  const core::Program& program_;
  std::vector<bool> bound_;  // of buffers that lie in no other's bytes
  std::array<std::int64_t, core::memoryClasses> now_{}, peak_{};
  std::int64_t total_ = 0, peakTotal_ = 0;
};

}  // namespace executor
