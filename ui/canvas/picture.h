#pragma once

#include <QPointF>
#include <QRectF>
#include <vector>

#include "ui/canvas/grid_index.h"
#include "ui/canvas/measure.h"
#include "ui/canvas/visible.h"
#include "ui/graph_layout/level.h"

// The visible part of a scene with places, in flat arrays: what the canvas paints and asks for hits.

namespace ui {

struct PictureNode {
  int node = -1;  // of the scene
  QRectF rect;    // scene units; of an unfolded one with its header
  int depth = 0;
  bool open = false;    // unfolded
  core::AxisSet axes;   // of a folded one: that split anything inside
  QString collectives;  // ... and what happens there: "3 AR, 1 AG"
};

struct PictureEdge {
  int firstPoint = 0, pointCount = 0;  // into Picture::points
  int tensor = -1;
  int from = -1, to = -1;  // picture nodes; -1 = a port of the container
  int container = -1;      // picture node
  bool back = false;
  int count = 1;
};

struct PicturePort {
  QPointF at;
  int tensor = -1;
  bool in = true;
};

struct PicturePill {
  int pill = -1;  // of the scene
  QPointF at;     // its middle, or of a row the right end; place_pills.h finds the room
  int edge = -1;  // that it sits on; -1 = on a tensor's row
  int node = -1;  // picture node of that row
};

struct Picture {
  std::vector<PictureNode> nodes;  // outer ones first
  std::vector<PictureEdge> edges;
  std::vector<QPointF> points;
  std::vector<PicturePort> ports;
  std::vector<PicturePill> pills;
  std::vector<int> at;       // per scene node: its picture node, -1 where it is not drawn
  std::vector<int> shownAs;  // per scene node: the scene node drawn for it
  QRectF bounds;
  GridIndex nodeGrid, edgeGrid;
  bool fallback = false;

  QRectF edgeBounds(const PictureEdge& edge) const;
};

// What Graphviz or our layering gets for one unfolded node; `inner` are the layouts of its unfolded children, by scene
// node.
LevelGraph levelGraphOf(const Scene& scene, const Visible& visible, std::size_t level, const NodeSizes& sizes,
                        const std::vector<LevelLayout>& layouts);

// `layouts` stand in the order of visible.levels.
Picture compose(const Scene& scene, const Visible& visible, const NodeSizes& sizes,
                const std::vector<LevelLayout>& layouts);

}  // namespace ui
