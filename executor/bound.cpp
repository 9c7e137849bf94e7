#include "executor/bound.h"

namespace executor {

using core::Buffer;
using core::BufferId;

Bound::Bound(const core::Program& program) : program_(program) { reset(); }

void Bound::reset() {
  bound_.assign(program_.buffers.size(), false);
  now_ = {};
  peak_ = {};
  total_ = peakTotal_ = 0;
  for (std::size_t i = 0; i < program_.buffers.size(); ++i)
    if (program_.buffers[i].persistent) bind(BufferId(static_cast<std::int64_t>(i)));
}

BufferId Bound::root(BufferId id) const {
  while (program_.buffers[id.index()].alias.valid()) id = program_.buffers[id.index()].alias;
  return id;
}

void Bound::bind(BufferId id) {
  id = root(id);
  const Buffer& buffer = program_.buffers[id.index()];
  if (bound_[id.index()] || buffer.offset < 0) return;
  bound_[id.index()] = true;
  now_[static_cast<std::size_t>(buffer.memoryClass)] += buffer.bytes;
  total_ += buffer.bytes;
  if (total_ <= peakTotal_) return;
  peakTotal_ = total_;
  peak_ = now_;
}

void Bound::release(BufferId id) {
  id = root(id);
  if (!bound_[id.index()]) return;
  bound_[id.index()] = false;
  const Buffer& buffer = program_.buffers[id.index()];
  now_[static_cast<std::size_t>(buffer.memoryClass)] -= buffer.bytes;
  total_ -= buffer.bytes;
}

bool Bound::overlaps(std::int64_t offset, std::int64_t size) const {
  for (std::size_t i = 0; i < bound_.size(); ++i) {
    const Buffer& buffer = program_.buffers[i];
    if (bound_[i] && buffer.offset < offset + size && offset < buffer.offset + buffer.bytes) return true;
  }
  return false;
}

}  // namespace executor
