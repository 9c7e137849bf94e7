#pragma once

#include <vector>

#include "ui/graph_layout/level.h"

namespace ui {

// Which row each box stands in by the longest path that leads to it; boxes whose edges pull down more than up stand as
// low as they can. Edges that close a cycle and back edges are left out; `forward[e]` says which edges count.
struct Layering {
  std::vector<int> rows;
  std::vector<bool> forward;
  int count = 0;  // of rows
};

Layering layeringOf(const LevelGraph& graph);

}  // namespace ui
