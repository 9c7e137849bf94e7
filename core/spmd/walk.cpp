#include "core/spmd/walk.h"

#include <cassert>

namespace core {

Views::Views(const Program& program) {
  for (std::size_t i = 0; i < program.buffers.size(); ++i) meant_.push_back(BufferId(static_cast<std::int64_t>(i)));
}

void Views::enter(const Instruction& repeat, std::int64_t iteration) {
  assert(iteration < repeat.count && "a repeat has `count` iterations");
  for (const IterationView& view : repeat.views) meant_[view.slot.index()] = view.perIteration[static_cast<std::size_t>(iteration)];
}

void Views::leave(const Instruction& repeat) {
  for (const IterationView& view : repeat.views) meant_[view.slot.index()] = view.slot;
}

}  // namespace core
