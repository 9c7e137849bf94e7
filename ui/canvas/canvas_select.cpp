#include <algorithm>
#include <cmath>

#include "ui/canvas/canvas_state.h"

namespace ui {

bool Canvas::State::isSelected(const SceneRef& ref) const {
  return std::find(selection.begin(), selection.end(), ref) != selection.end();
}

void Canvas::State::select(std::vector<SceneRef> next) {
  if (next == selection) return;
  selection = std::move(next);
  bool kept = chosen.valid() && isSelected({SceneRef::Kind::tensor, chosen.tensor});
  if (!kept) chosen = {};
  canvas.update();
  announceSelection();
  emit canvas.selectionChanged(selection);
}

void Canvas::State::choose(DimensionAt next) {
  if (next == chosen) return;
  chosen = next;
  canvas.update();
  emit canvas.dimensionChosen(core::TensorId(next.tensor), next.dim);
}

void Canvas::State::clicked(const Hit& hit, Qt::KeyboardModifiers with) {
  if (hit.part == Hit::Part::chevron) return canvas.toggle(hit.ref);
  if (hit.part == Hit::Part::previous || hit.part == Hit::Part::next) {
    core::StackId stack(hit.ref.index);
    return canvas.showInstance(stack, canvas.instance(stack) + (hit.part == Hit::Part::next ? 1 : -1));
  }
  std::vector<SceneRef> next = selection;
  if (with & Qt::ControlModifier) {
    auto at = std::find(next.begin(), next.end(), hit.ref);
    if (at != next.end())
      next.erase(at);
    else if (hit.ref.valid())
      next.push_back(hit.ref);
  } else if (with & Qt::ShiftModifier) {
    if (hit.ref.valid() && !isSelected(hit.ref)) next.push_back(hit.ref);
  } else {
    next.clear();
    if (hit.ref.valid()) next.push_back(hit.ref);
  }
  select(std::move(next));
  choose(hit.dimension);
}

void Canvas::State::finishBand() {
  std::vector<SceneRef> inside = within(band), next;
  if (modifiers & (Qt::ShiftModifier | Qt::ControlModifier)) next = selection;
  for (const SceneRef& ref : inside) {
    auto at = std::find(next.begin(), next.end(), ref);
    if (at == next.end())
      next.push_back(ref);
    else if (modifiers & Qt::ControlModifier)
      next.erase(at);
  }
  band = {};
  select(std::move(next));
  canvas.update();
}

std::optional<int> Canvas::State::selectedDrawn() const {
  if (selection.empty()) return {};
  auto node = nodeAt(selection.back());
  int n = node ? drawn(*node) : -1;
  return n < 0 ? std::nullopt : std::optional<int>(n);
}

std::vector<int> Canvas::State::neighbours(int pictureNode, bool above) const {
  std::vector<int> found;
  for (const PictureEdge& edge : picture->edges) {
    int own = above ? edge.to : edge.from, other = above ? edge.from : edge.to;
    if (own == pictureNode && other >= 0 && !edge.back) found.push_back(other);
  }
  std::sort(found.begin(), found.end(), [&](int a, int b) {
    return picture->nodes[static_cast<std::size_t>(a)].rect.x() < picture->nodes[static_cast<std::size_t>(b)].rect.x();
  });
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

// Up and Down along the edges, else to what lies that way; Left and Right to the side, or between dimensions of a
// tensor.
void Canvas::State::walk(int key) {
  if (!ready() || picture->nodes.empty()) return;
  bool sideways = key == Qt::Key_Left || key == Qt::Key_Right;
  if (sideways && !selection.empty() && selection.back().kind == SceneRef::Kind::tensor) {
    int tensor = selection.back().index;
    int count = static_cast<int>(scene->tensors[static_cast<std::size_t>(tensor)].dims.size());
    if (count == 0) return;
    int dim = chosen.tensor == tensor ? chosen.dim + (key == Qt::Key_Right ? 1 : -1)
              : key == Qt::Key_Right  ? 0
                                      : count - 1;
    return choose({tensor, std::clamp(dim, 0, count - 1)});
  }
  auto from = selectedDrawn();
  if (!from) return select({scene->nodes[static_cast<std::size_t>(picture->nodes.front().node)].ref()});
  const PictureNode& here = picture->nodes[static_cast<std::size_t>(*from)];
  int best = -1;
  if (!sideways) {
    std::vector<int> next = neighbours(*from, key == Qt::Key_Up);
    double nearest = INFINITY;
    for (int n : next) {
      double off = std::abs(picture->nodes[static_cast<std::size_t>(n)].rect.center().x() - here.rect.center().x());
      if (off < nearest) {
        nearest = off;
        best = n;
      }
    }
  }
  if (best < 0) {
    QPointF way = key == Qt::Key_Up     ? QPointF(0, -1)
                  : key == Qt::Key_Down ? QPointF(0, 1)
                  : key == Qt::Key_Left ? QPointF(-1, 0)
                                        : QPointF(1, 0);
    double nearest = INFINITY;
    for (std::size_t n = 0; n < picture->nodes.size(); ++n) {
      QPointF off = picture->nodes[n].rect.center() - here.rect.center();
      double ahead = QPointF::dotProduct(off, way), aside = std::abs(off.x() * way.y()) + std::abs(off.y() * way.x());
      if (ahead > 1 && static_cast<int>(n) != *from && picture->nodes[n].depth == here.depth &&
          ahead + 3 * aside < nearest) {
        nearest = ahead + 3 * aside;
        best = static_cast<int>(n);
      }
    }
  }
  if (best < 0) return;
  select({scene->nodes[static_cast<std::size_t>(picture->nodes[static_cast<std::size_t>(best)].node)].ref()});
  QRectF rect = view.toScreen(picture->nodes[static_cast<std::size_t>(best)].rect);
  QRectF inside = QRectF(canvas.rect()).adjusted(24, 24, -24, -24);
  QPointF by(rect.left() < inside.left()     ? inside.left() - rect.left()
             : rect.right() > inside.right() ? inside.right() - rect.right()
                                             : 0,
             rect.top() < inside.top()         ? inside.top() - rect.top()
             : rect.bottom() > inside.bottom() ? inside.bottom() - rect.bottom()
                                               : 0);
  setView(view.panned(by));
}

// The tensors of the selected operator, one after another.
void Canvas::State::cycleTensor() {
  if (selection.empty()) return;
  auto node = nodeAt(selection.back());
  if (!node) return;
  const auto& rows = scene->nodes[static_cast<std::size_t>(*node)].rows;
  if (rows.empty()) return;
  auto at = selection.back().kind == SceneRef::Kind::tensor
                ? std::find(rows.begin(), rows.end(), selection.back().index)
                : rows.end();
  int next = at == rows.end() || at + 1 == rows.end() ? rows.front() : *(at + 1);
  select({{SceneRef::Kind::tensor, next}});
}

void Canvas::State::selectStream(bool up) {
  std::vector<int> queue;
  std::vector<char> seen(picture->nodes.size(), 0);
  for (const SceneRef& ref : selection)
    if (auto node = nodeAt(ref); node && drawn(*node) >= 0) {
      seen[static_cast<std::size_t>(drawn(*node))] = 1;
      queue.push_back(drawn(*node));
    }
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (int n : neighbours(queue[i], up))
      if (!seen[static_cast<std::size_t>(n)]) {
        seen[static_cast<std::size_t>(n)] = 1;
        queue.push_back(n);
      }
  std::vector<SceneRef> next;
  for (int n : queue)
    next.push_back(scene->nodes[static_cast<std::size_t>(picture->nodes[static_cast<std::size_t>(n)].node)].ref());
  select(std::move(next));
}

}  // namespace ui
