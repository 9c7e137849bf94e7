#include <algorithm>
#include <cmath>

#include "ui/canvas/canvas_state.h"

namespace ui {

namespace {

constexpr int movementMilliseconds = 150;

}  // namespace

Canvas::State::State(Canvas& owner) : canvas(owner) {
  QObject::connect(&arranger, &Arranger::arranged, &owner,
                   [this](std::shared_ptr<const Picture> arranged) { take(std::move(arranged)); });
  movement.setInterval(12);
  QObject::connect(&movement, &QTimer::timeout, &owner, [this] {
    progress = std::min(1.0, static_cast<double>(since.elapsed()) / movementMilliseconds);
    canvas.update();
    if (progress < 1) return;
    movement.stop();
    emit canvas.layoutFinished();
  });
}

void Canvas::State::arrange(std::optional<Anchor> keep) {
  if (!scene && !pending) return;
  anchor = std::move(keep);
  if (pending)
    arranger.arrange(pending, expansion, pendingRoot, canvas.font());
  else
    arranger.arrange(scene, expansion, root, canvas.font());
}

std::optional<Canvas::State::Anchor> Canvas::State::anchorAt(int sceneNode) const {
  int n = picture ? drawn(sceneNode) : -1;
  if (n < 0) return {};
  const PictureNode& node = picture->nodes[static_cast<std::size_t>(n)];
  return Anchor{scene->nodes[static_cast<std::size_t>(node.node)].path, view.toScreen(node.rect.topLeft())};
}

// The picture that was asked for last: what was anchored stays where it is on screen, the rest moves there.
void Canvas::State::take(std::shared_ptr<const Picture> arranged) {
  std::shared_ptr<const Picture> old = std::move(picture);
  std::shared_ptr<const Scene> oldScene = scene;
  View oldView = view;
  if (pending) adopt();
  picture = std::move(arranged);
  QHash<QString, int> byPath;
  for (std::size_t n = 0; n < picture->nodes.size(); ++n)
    byPath.insert(scene->nodes[static_cast<std::size_t>(picture->nodes[n].node)].path, static_cast<int>(n));
  if (!viewChosen) {
    fit(picture->bounds);
  } else if (anchor && byPath.contains(anchor->path)) {
    QPointF now = picture->nodes[static_cast<std::size_t>(byPath[anchor->path])].rect.topLeft();
    view.origin = now - anchor->screen / view.zoom;
  }
  progress = 1;
  movement.stop();
  if (old && !reducedMotion && picture->nodes.size() <= 3000 && old->nodes.size() <= 3000) {
    before.clear();
    QHash<QString, QRectF> was;
    for (const PictureNode& node : old->nodes)
      was.insert(oldScene->nodes[static_cast<std::size_t>(node.node)].path, node.rect);
    bool moves = false;
    for (const PictureNode& node : picture->nodes) {
      auto from = was.constFind(scene->nodes[static_cast<std::size_t>(node.node)].path);
      before.push_back(from == was.constEnd() ? node.rect : view.toScene(oldView.toScreen(*from)));
      moves |= before.back() != node.rect;
    }
    if (moves && viewChosen) {
      progress = 0;
      since.start();
      movement.start();
    }
  }
  if (toReveal) {
    SceneRef ref = *toReveal;
    toReveal.reset();
    canvas.reveal(ref);
  }
  canvas.update();
  if (progress >= 1) emit canvas.layoutFinished();
}

void Canvas::State::setView(const View& next) {
  if (next == view) return;
  double zoom = view.zoom;
  view = next;
  detail = detailOf(view.zoom, detail);
  canvas.update();
  if (zoom != view.zoom) emit canvas.zoomChanged(view.zoom);
}

void Canvas::State::fit(const QRectF& sceneRect) {
  setView(View::fitting(sceneRect, canvas.size()));
}

int Canvas::State::drawn(int sceneNode) const {
  if (!picture || sceneNode < 0 || static_cast<std::size_t>(sceneNode) >= picture->shownAs.size()) return -1;
  int shown = picture->shownAs[static_cast<std::size_t>(sceneNode)];
  return shown < 0 ? -1 : picture->at[static_cast<std::size_t>(shown)];
}

std::optional<int> Canvas::State::nodeAt(const SceneRef& ref) const {
  return scene ? scene->nodeOf(ref) : std::nullopt;
}

QRectF Canvas::State::screenRect(const SceneRef& ref) const {
  if (!ready()) return {};
  auto node = nodeAt(ref);
  int n = node ? drawn(*node) : -1;
  if (n < 0) return {};
  const PictureNode& at = picture->nodes[static_cast<std::size_t>(n)];
  QRectF rect = view.toScreen(at.rect);
  if (ref.kind != SceneRef::Kind::tensor || at.node != *node) return rect;
  const auto& rows = scene->nodes[static_cast<std::size_t>(*node)].rows;
  auto row = std::find(rows.begin(), rows.end(), ref.index);
  return row == rows.end() ? rect : rowRect(rect, static_cast<std::size_t>(row - rows.begin()), view.zoom);
}

void Canvas::State::setOpen(int sceneNode, bool open) {
  const SceneNode& node = scene->nodes[static_cast<std::size_t>(sceneNode)];
  if (!unfolds(node) || sceneNode == root || expansion.open.contains(node.path) == open) return;
  if (open)
    expansion.open.insert(node.path);
  else
    expansion.open.remove(node.path);
  viewChosen = true;
  arrange(anchorAt(sceneNode));
  emit canvas.expansionChanged();
}

void Canvas::State::showInstance(int stackNode, int instance) {
  const SceneNode& node = scene->nodes[static_cast<std::size_t>(stackNode)];
  instance = (instance + node.multiplicity) % node.multiplicity;
  if (expansion.instance.value(node.path, 0) == instance) return;
  expansion.instance[node.path] = instance;
  arrange(anchorAt(stackNode));
  emit canvas.expansionChanged();
}

void Canvas::State::adopt() {
  scene = std::move(pending);
  pending.reset();
  root = pendingRoot;
  hover = {};
  target = {};
  std::erase_if(selection, [&](const SceneRef& ref) { return !nodeAt(ref); });
  if (chosen.valid() &&
      (static_cast<std::size_t>(chosen.tensor) >= scene->tensors.size() ||
       static_cast<std::size_t>(chosen.dim) >= scene->tensors[static_cast<std::size_t>(chosen.tensor)].dims.size()))
    chosen = {};
}

std::vector<int> Canvas::State::openable(const Scene& scene) {
  std::vector<int> all;
  for (std::size_t n = 1; n < scene.nodes.size(); ++n) {
    const SceneNode& node = scene.nodes[n];
    bool instance = scene.nodes[static_cast<std::size_t>(node.parent)].kind == SceneNodeKind::stack;
    if (unfolds(node) && !instance) all.push_back(static_cast<int>(n));
  }
  return all;
}

const std::vector<PlacedPill>& Canvas::State::placedPills() const {
  PillPlaces now{scene, picture, view, detail, canvas.size(), canvas.font()};
  if (now == placedFor) return placed;
  placedFor = now;
  placed = placePills({.scene = *scene,
                       .picture = *picture,
                       .view = view,
                       .detail = detail,
                       .widget = canvas.size(),
                       .font = canvas.font()});
  return placed;
}

Look Canvas::State::look() const {
  Look look{.scene = *scene,
            .picture = *picture,
            .view = view,
            .detail = detail,
            .overlay = overlay,
            .widget = canvas.size(),
            .font = canvas.font(),
            .focused = canvas.hasFocus(),
            .stale = stale,
            .dropping = dropping,
            .hover = hover,
            .chosen = chosen,
            .target = target,
            .refusal = refusal,
            .expansion = &expansion,
            .pills = placedPills(),
            .progress = progress,
            .before = &before};
  look.selectedNodes.assign(scene->nodes.size(), 0);
  look.markedNodes.assign(scene->nodes.size(), 0);
  look.selectedTensors.assign(scene->tensors.size(), 0);
  auto shown = [&](const SceneRef& ref) -> int {
    auto node = nodeAt(ref);
    return node ? picture->shownAs[static_cast<std::size_t>(*node)] : -1;
  };
  for (const SceneRef& ref : selection) {
    if (ref.kind == SceneRef::Kind::tensor && static_cast<std::size_t>(ref.index) < scene->tensors.size())
      look.selectedTensors[static_cast<std::size_t>(ref.index)] = 1;
    if (ref.kind == SceneRef::Kind::collective) look.selectedPill = ref.index;
    if (ref.kind == SceneRef::Kind::collective) continue;
    int node = shown(ref);
    // A tensor is shown by its row; its operator only where that is folded away.
    if (node >= 0 && (ref.kind != SceneRef::Kind::tensor || node != *nodeAt(ref)))
      look.selectedNodes[static_cast<std::size_t>(node)] = 1;
  }
  for (const SceneRef& ref : marks)
    if (int node = shown(ref); node >= 0) look.markedNodes[static_cast<std::size_t>(node)] = 1;
  if (overlay != Overlay::none && overlay != Overlay::layoutSource)
    for (const PictureNode& node : picture->nodes)
      if (!node.open)
        look.overlayMost =
            std::max(look.overlayMost, overlayValue(scene->nodes[static_cast<std::size_t>(node.node)], overlay));
  return look;
}

}  // namespace ui
