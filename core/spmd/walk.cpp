#include "core/spmd/walk.h"

#include <algorithm>
#include <cassert>

namespace core {

Views::Views(const Program& program) : first_(program.buffers.size()) {
  for (const Instruction& one : program.instructions)
    for (const IterationView& view : one.views) first_ = std::min(first_, view.slot.index());
  for (std::size_t i = first_; i < program.buffers.size(); ++i) meant_.push_back(BufferId(static_cast<std::int64_t>(i)));
}

void Views::enter(const Instruction& repeat, std::int64_t iteration) {
  assert(iteration < repeat.count && "a repeat has `count` iterations");
  repeat_ = &repeat;
  for (const IterationView& view : repeat.views) meant_[view.slot.index() - first_] = view.perIteration[static_cast<std::size_t>(iteration)];
}

void Views::leave(const Instruction& repeat) {
  repeat_ = nullptr;
  for (const IterationView& view : repeat.views) meant_[view.slot.index() - first_] = view.slot;
}

}  // namespace core
