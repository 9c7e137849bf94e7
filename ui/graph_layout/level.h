#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <cstdint>
#include <vector>

// One level of the hierarchy, laid out from top to bottom: boxes and edges between them, in, positions and routes, out.

namespace ui {

struct LevelEdge {
  int from = 0;
  int to = 0;
  bool back = false;   // a carried value: against the flow, drawn along the side
  int net = -1;        // edges of one net leave from one point and share their way; -1 = its own
  int weight = 1;      // how much its straightness matters
  double fromAt = -1;  // where it leaves along the box's width, and where it enters; negative = anywhere
  double toAt = -1;
  bool operator==(const LevelEdge&) const = default;
};

// Boxes that must stand in the first or the last row: where edges enter and leave the level.
enum class LevelEnd : std::uint8_t { none, top, bottom };

struct LevelGraph {
  std::vector<QSizeF> boxes;
  std::vector<LevelEnd> ends;  // per box; empty = none
  std::vector<LevelEdge> edges;
  double rowGap = 42;  // between rows, before edges need more
  double columnGap = 28;
  LevelEnd end(std::size_t box) const { return box < ends.size() ? ends[box] : LevelEnd::none; }
  bool operator==(const LevelGraph&) const = default;
};

// Positions of boxes (top left corners) in rows; routing widens the gaps between rows as the edges need.
struct LevelPlacement {
  std::vector<QPointF> boxes;
  std::vector<int> rows;  // per box, from 0
};

struct LevelRoute {
  std::vector<QPointF> points;  // orthogonal: neighbours share x or y; corners are rounded when drawn
};

struct LevelLayout {
  std::vector<QRectF> boxes;
  std::vector<LevelRoute> routes;  // per edge
  QSizeF size;
  bool fallback = false;  // our own layering, not Graphviz
};

}  // namespace ui
