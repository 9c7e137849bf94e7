#pragma once

#include <cstdint>
#include <vector>

#include "core/spmd/program.h"

// A program as it is executed: bodies of repeats once for each iteration, with the buffers that they then mean.

namespace core {

// Which buffer a name in the body stands for; names that no view exchanges stand for themselves.
class Views {
 public:
  explicit Views(const Program& program);
  BufferId operator()(BufferId id) const { return id.index() < first_ ? id : meant_[id.index() - first_]; }
  void enter(const Instruction& repeat, std::int64_t iteration);
  void leave(const Instruction& repeat);
  const Instruction* repeat() const { return repeat_; }  // the one that is run; none outside

 private:
  const Instruction* repeat_ = nullptr;
  std::size_t first_;           // what stands for others comes behind all other buffers, as a rule
  std::vector<BufferId> meant_;  // from the first of those on
};

// visit(instruction, iteration, views) for everything but the repeats themselves; iteration is that of the innermost repeat.
template <class Visit>
void walk(const std::vector<Instruction>& instructions, std::int64_t iteration, Views& views, Visit& visit) {
  for (const Instruction& one : instructions) {
    if (one.kind != InstructionKind::repeat) {
      visit(one, iteration, views);
      continue;
    }
    for (std::int64_t i = 0; i < one.count; ++i) {
      views.enter(one, i);
      walk(one.body, i, views, visit);
      views.leave(one);
    }
  }
}

template <class Visit>
void walk(const Program& program, Visit&& visit) {
  Views views(program);
  walk(program.instructions, 0, views, visit);
}

}  // namespace core
