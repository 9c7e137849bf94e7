#include "ui/canvas/measure.h"

#include <QFontMetricsF>
#include <algorithm>

#include "ui/widgets/paint_tools.h"

namespace ui {

QSizeF NodeSizes::of(const Scene& scene, int node) const {
  const SceneNode& n = scene.nodes[static_cast<std::size_t>(node)];
  return n.kind == SceneNodeKind::group || n.kind == SceneNodeKind::stack ? card(n) : leaf(scene, n);
}

QSizeF NodeSizes::leaf(const Scene& scene, const SceneNode& node) const {
  QFontMetricsF title(sized(font_, 13, true)), chip(sized(font_, leastTextPixels));
  double width = title.horizontalAdvance(node.title) + chip.horizontalAdvance(node.subtitle) + 34;
  for (int row : node.rows) {
    double chips = 22;
    for (const SceneDim& dim : scene.tensors[static_cast<std::size_t>(row)].dims) {
      QString size = dim.size > 0 ? QString::number(dim.size) : QStringLiteral("?");
      chips += chip.horizontalAdvance(dim.name) + chip.horizontalAdvance(size) + 2 * chipPadding + 4 + chipGap;
    }
    width = std::max(width, chips + chipTag * 2);  // room for two tags
  }
  double height = headerHeight + rowHeight * static_cast<double>(node.rows.size()) + nodePadding;
  return {std::clamp(width, 120.0, 460.0), height};
}

QSizeF NodeSizes::card(const SceneNode& node) const {
  QFontMetricsF title(sized(font_, 14, true)), text(sized(font_, leastTextPixels));
  double width = std::max(title.horizontalAdvance(node.title) + (node.multiplicity > 1 ? 60 : 0), text.horizontalAdvance(node.subtitle) + 70) + 48;
  return {std::clamp(width, 190.0, 380.0), cardHeight};
}

double NodeSizes::headerWidth(const Scene& scene, int node) const {
  const SceneNode& n = scene.nodes[static_cast<std::size_t>(node)];
  return QFontMetricsF(sized(font_, 14, true)).horizontalAdvance(n.title) + (n.kind == SceneNodeKind::stack ? 260 : 130);
}

}  // namespace ui
