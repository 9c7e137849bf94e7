#include "core/tdl/extents.h"

#include "core/base/error.h"
#include "core/tdl/lex.h"

namespace core {

void Extents::fail(std::size_t column, const std::string& what, const std::string& right) const {
  throw Error{.what = what, .where = placeIn(definition_.source, column), .right = right};
}

int Extents::add(Loop loop, std::size_t column) {
  built_.loops.push_back(std::move(loop));
  columns_.push_back(column);
  return static_cast<int>(built_.loops.size()) - 1;
}

void Extents::settle(int loop, const BoundOperand& operand, std::size_t axis, std::size_t column, bool guarded) {
  Loop& one = at(loop);
  const std::int64_t size = operand.sizes[axis];
  const DimId dim = axis < operand.ids.size() ? operand.ids[axis] : DimId{};
  if (one.extent == 0 && guarded) {
    guesses_.push_back({loop, size, dim});
    return;
  }
  if (one.extent == 0) one.extent = size;
  if (!one.dim.valid() && one.extent == size) one.dim = dim;
  const bool stated = given_.count(loop) != 0;
  if (guarded || one.extent == size || (stated && one.extent < size)) return;
  fail(column,
       "'" + one.name + "' runs to " + std::to_string(one.extent) + " but '" + operand.name + "' has " +
           std::to_string(size) + " there",
       "equal sizes, or (" + operand.name + "[...] else value)");
}

void Extents::finish() {
  for (const Guess& guess : guesses_) {
    if (at(guess.loop).extent != 0) continue;
    at(guess.loop).extent = guess.extent;
    at(guess.loop).dim = guess.dim;
  }
  for (std::size_t i = 0; i < built_.loops.size(); ++i) {
    const Loop& one = built_.loops[i];
    if (one.extent > 0) continue;
    fail(columns_[i], "nothing gives the extent of loop '" + one.name + "'",
         "a read x[" + one.name + "], or " + one.name + ":8");
  }
}

}  // namespace core
