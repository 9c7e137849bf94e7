#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/tdl/bind.h"

namespace core {

// The loops of an expression that is being bound, and how each comes to its extent: stated, or the size of an axis that it
// reads plainly, x[i]. A read that may look outside the operand, or counts only under a condition, decides when nothing else does.
class Extents {
 public:
  Extents(const Definition& definition, Expression& built) : definition_(definition), built_(built) {}

  int add(Loop loop, std::size_t column);  // 0: not known yet
  void give(int loop) { given_.insert(loop); }
  void settle(int loop, const BoundOperand& operand, std::size_t axis, std::size_t column, bool guarded);
  void finish();  // Error for a loop that nothing gives an extent

 private:
  [[noreturn]] void fail(std::size_t column, const std::string& what, const std::string& right) const;
  Loop& at(int loop) { return built_.loops[static_cast<std::size_t>(loop)]; }

  struct Guess {
    int loop;
    std::int64_t extent;
    DimId dim;
  };

  const Definition& definition_;
  Expression& built_;
  std::vector<std::size_t> columns_;  // of each loop
  std::vector<Guess> guesses_;
  std::set<int> given_;  // loops whose extent was stated: they may end before an operand does
};

}  // namespace core
