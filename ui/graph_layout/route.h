#pragma once

#include "ui/graph_layout/level.h"

namespace ui {

// Routes every edge between placed rows: down from its box, along a track between rows, through a free column past the
// rows in between, and into its target from above; back edges along the right side. Moves rows apart to make room for
// tracks.
LevelLayout route(const LevelGraph& graph, const LevelPlacement& placement);

}  // namespace ui
