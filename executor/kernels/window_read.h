#pragma once

#include <optional>
#include <vector>

#include "core/tdl/expression.h"

namespace executor {

// One axis of an operand that is read through a window.
struct WindowAxis {
  std::size_t axis = 0;
  int into = -1, kernel = -1;  // loops: places of the window, and places in it
  std::int64_t stride = 1, dilation = 1, low = 0;
};

// A read of which some axes go through windows; all others are loops of the output or of the sum.
//
//   x[n, c, 2*p + u - 1] else 0                                    through: element stride*into + dilation*kernel - low
//   select((h + 1 - u) % 2 == 0, x[n, c, (h + 1 - u) / 2] else 0, 0)   against: the place from which element `into` is seen at `kernel`
struct WindowRead {
  const core::Node* read = nullptr;
  bool against = false;
  std::vector<WindowAxis> windows;
  double beyond = 0;  // what counts outside of the operand
};

// None for any other expression.
std::optional<WindowRead> windowReadAt(const core::Expression& expression, int node);

}  // namespace executor
