#pragma once

#include <QHash>
#include <QSet>
#include <QString>
#include <vector>

#include "ui/canvas/scene.h"

// Which nodes of a scene are shown when some groups are unfolded, and what edges run between those; without geometry.

namespace ui {

// Remembered by path, so that it outlives a change of the graph.
struct Expansion {
  QSet<QString> open;
  QHash<QString, int> instance;  // of a stack: which one it shows
  bool operator==(const Expansion&) const = default;
};

// An edge of one level: between two of its boxes.
struct VisibleEdge {
  int from = 0;  // into VisibleLevel boxes
  int to = 0;
  int tensor = -1;
  int count = 1;  // edges of the graph that it stands for
  bool back = false;
};

// What an unfolded node shows: its children, and the points where values enter and leave.
struct VisibleLevel {
  int container = -1;  // scene node
  int depth = 0;
  std::vector<int> children;  // scene nodes: the first boxes
  std::vector<int> inPorts;   // tensors: the boxes behind the children
  std::vector<int> outPorts;  // ... and behind those
  std::vector<VisibleEdge> edges;
  int inBox(std::size_t port) const { return static_cast<int>(children.size() + port); }
  int outBox(std::size_t port) const { return static_cast<int>(children.size() + inPorts.size() + port); }
};

struct Visible {
  std::vector<VisibleLevel> levels;  // outer ones first; [0] is the root that is shown
  std::vector<int> shownAs;          // per scene node: the shown node that stands for it; -1 = outside the root
};

bool unfolds(const SceneNode& node);  // has something inside
// Of an unfolded node; of a stack, those of the instance that it shows.
const std::vector<int>& childrenOf(const Scene& scene, const Expansion& expansion, int node);

Visible visibleOf(const Scene& scene, const Expansion& expansion, int root = 0);

}  // namespace ui
