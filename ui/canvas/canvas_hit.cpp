#include <algorithm>
#include <cmath>

#include "ui/canvas/canvas_state.h"

namespace ui {

bool Canvas::State::near(const PictureEdge& edge, QPointF p, double distance) const {
  for (int i = edge.firstPoint; i + 1 < edge.firstPoint + edge.pointCount; ++i) {
    QPointF a = picture->points[static_cast<std::size_t>(i)], b = picture->points[static_cast<std::size_t>(i + 1)];
    QPointF along = b - a;
    double length = QPointF::dotProduct(along, along);
    double t = length > 0 ? std::clamp(QPointF::dotProduct(p - a, along) / length, 0.0, 1.0) : 0;
    QPointF off = p - (a + along * t);
    if (std::hypot(off.x(), off.y()) <= distance) return true;
  }
  return false;
}

// What lies uppermost: collectives, then nodes with their rows and chips, then edges, then the ground of unfolded
// nodes.
Canvas::State::Hit Canvas::State::hit(QPointF at) const {
  Hit found;
  if (!ready()) return found;
  for (std::size_t p = placedPills().size(); p-- > 0;)
    if (placedPills()[p].rect.contains(at)) {
      found.ref = {SceneRef::Kind::collective, picture->pills[p].pill};
      return found;
    }
  QPointF scenePoint = view.toScene(at);
  std::vector<int> under = picture->nodeGrid.touching(QRectF(scenePoint, QSizeF(0, 0)));
  for (auto n = under.rbegin(); n != under.rend(); ++n) {
    const PictureNode& node = picture->nodes[static_cast<std::size_t>(*n)];
    const SceneNode& s = scene->nodes[static_cast<std::size_t>(node.node)];
    QRectF rect = view.toScreen(node.rect);
    found.node = *n;
    if (node.open) {
      HeaderParts parts = headerParts(s, rect, view.zoom);
      if (!parts.header.contains(at)) continue;
      found.ref = s.ref();
      found.part = parts.chevron.contains(at)    ? Hit::Part::chevron
                   : parts.previous.contains(at) ? Hit::Part::previous
                   : parts.next.contains(at)     ? Hit::Part::next
                                                 : Hit::Part::header;
      return found;
    }
    found.ref = s.ref();
    if (unfolds(s)) {
      found.part =
          rect.height() > 34 && cardChevron(rect, view.zoom).contains(at) ? Hit::Part::chevron : Hit::Part::header;
      return found;
    }
    if (detail < Detail::standard) return found;
    for (const ChipBox& chip : chipBoxes(*scene, s, rect, view.zoom, canvas.font()))
      if (chip.rect.contains(at)) found.dimension = {chip.tensor, chip.dim};
    for (std::size_t row = 0; row < s.rows.size(); ++row)
      if (rowRect(rect, row, view.zoom).contains(at)) found.ref = {SceneRef::Kind::tensor, s.rows[row]};
    return found;
  }
  double reach = 4 / view.zoom;
  for (int e : picture->edgeGrid.touching(QRectF(scenePoint - QPointF(reach, reach), QSizeF(2 * reach, 2 * reach))))
    if (detail >= Detail::map && near(picture->edges[static_cast<std::size_t>(e)], scenePoint, reach)) {
      found.ref = {SceneRef::Kind::tensor, picture->edges[static_cast<std::size_t>(e)].tensor};
      return found;
    }
  if (found.node >= 0) found.ref = {};  // the ground inside an unfolded node
  return found;
}

// Touching counts; of unfolded nodes only those that lie wholly inside.
std::vector<SceneRef> Canvas::State::within(const QRectF& screen) const {
  std::vector<SceneRef> found;
  QRectF window = view.toScene(screen);
  for (int n : picture->nodeGrid.touching(window)) {
    const PictureNode& node = picture->nodes[static_cast<std::size_t>(n)];
    if (!node.open || window.contains(node.rect))
      found.push_back(scene->nodes[static_cast<std::size_t>(node.node)].ref());
  }
  return found;
}

}  // namespace ui
