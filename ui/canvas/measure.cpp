#include "ui/canvas/measure.h"

#include <algorithm>

#include "ui/widgets/paint_tools.h"

namespace ui {

NodeSizes::NodeSizes(const QFont& font)
    : title_(sized(font, 13, true)), bold_(sized(font, 14, true)), text_(sized(font, leastTextPixels)) {}

double NodeSizes::width(const QFontMetricsF& metrics, QHash<QString, double>& known, const QString& text) const {
  auto found = known.constFind(text);
  if (found == known.constEnd()) found = known.insert(text, metrics.horizontalAdvance(text));
  return *found;
}

QSizeF NodeSizes::of(const Scene& scene, int node) const {
  const SceneNode& n = scene.nodes[static_cast<std::size_t>(node)];
  return n.kind == SceneNodeKind::group || n.kind == SceneNodeKind::stack ? card(n) : leaf(scene, n);
}

QSizeF NodeSizes::leaf(const Scene& scene, const SceneNode& node) const {
  auto chip = [this](const QString& text) { return width(text_, textWidths_, text); };
  double width = title_.horizontalAdvance(node.title) + chip(node.subtitle) + 34;
  for (int row : node.rows) {
    double chips = 22;
    for (const SceneDim& dim : scene.tensors[static_cast<std::size_t>(row)].dims) {
      QString size = dim.size > 0 ? QString::number(dim.size) : QStringLiteral("?");
      chips += chip(dim.name) + chip(size) + 2 * chipPadding + 4 + chipGap;
    }
    width = std::max(width, chips + chipTag * 2);  // room for two tags
  }
  double height = headerHeight + rowHeight * static_cast<double>(node.rows.size()) + nodePadding;
  return {std::clamp(width, 120.0, 460.0), height};
}

QSizeF NodeSizes::card(const SceneNode& node) const {
  double width = std::max(bold_.horizontalAdvance(node.title) + (node.multiplicity > 1 ? 60 : 0),
                          text_.horizontalAdvance(node.subtitle) + 70) +
                 48;
  return {std::clamp(width, 190.0, 380.0), cardHeight};
}

double NodeSizes::headerWidth(const Scene& scene, int node) const {
  const SceneNode& n = scene.nodes[static_cast<std::size_t>(node)];
  return bold_.horizontalAdvance(n.title) + (n.kind == SceneNodeKind::stack ? 260 : 130);
}

}  // namespace ui
