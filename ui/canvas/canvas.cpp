#include "ui/canvas/canvas.h"

#include <QPainter>
#include <QStyle>
#include <algorithm>
#include <cmath>

#include "ui/canvas/canvas_state.h"
#include "ui/theme/theme.h"
#include "ui/widgets/paint_tools.h"

namespace ui {

Canvas::Canvas(QWidget* parent) : QWidget(parent), state_(std::make_unique<State>(*this)) {
  state_->installAccessible();
  setObjectName(QStringLiteral("canvas"));
  setAccessibleName(tr("Graph"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAcceptDrops(true);
  setAttribute(Qt::WA_OpaquePaintEvent);
  state_->reducedMotion = style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, this) == 0;
}

Canvas::~Canvas() {
  state_->dropAccessible();
}

void Canvas::setScene(std::shared_ptr<const Scene> scene) {
  State& s = *state_;
  if (!scene) {
    s.arranger.cancel();
    s.scene.reset();
    s.pending.reset();
    s.picture.reset();
    s.selection.clear();
    s.viewChosen = false;
    return update();
  }
  std::optional<State::Anchor> anchor;
  if (s.ready() && s.viewChosen) {  // what is in the middle of the view stays there
    State::Hit middle = s.hit(QPointF(width() / 2.0, height() / 2.0));
    int node = middle.node >= 0 ? middle.node : s.picture->nodes.empty() ? -1 : 0;
    if (node >= 0) anchor = s.anchorAt(s.picture->nodes[static_cast<std::size_t>(node)].node);
  }
  QString rootPath = s.scene && s.root > 0 ? s.scene->nodes[static_cast<std::size_t>(s.root)].path : QString();
  s.pending = std::move(scene);
  s.pendingRoot = 0;
  if (!rootPath.isEmpty())
    for (int node : State::openable(*s.pending))
      if (s.pending->nodes[static_cast<std::size_t>(node)].path == rootPath) s.pendingRoot = node;
  if (!s.scene) s.viewChosen = false;
  setAccessibleDescription(tr("%n operator(s)", nullptr, s.pending->nodes.empty() ? 0 : s.pending->nodes[0].operators));
  s.arrange(std::move(anchor));
}

std::shared_ptr<const Scene> Canvas::scene() const {
  return state_->pending ? state_->pending : state_->scene;
}

void Canvas::setOverlay(Overlay overlay) {
  state_->overlay = overlay;
  update();
}
Overlay Canvas::overlay() const {
  return state_->overlay;
}

void Canvas::setSearchMarks(std::vector<SceneRef> marks) {
  state_->marks = std::move(marks);
  update();
}

void Canvas::setSelection(std::vector<SceneRef> selection) {
  if (selection == state_->selection) return;
  state_->selection = std::move(selection);
  if (!state_->isSelected({SceneRef::Kind::tensor, state_->chosen.tensor})) state_->chosen = {};
  update();
}
const std::vector<SceneRef>& Canvas::selection() const {
  return state_->selection;
}

void Canvas::setDimension(core::TensorId tensor, int dimension) {
  state_->chosen = {tensor.value, dimension};
  update();
}

void Canvas::setStale(bool stale) {
  state_->stale = stale;
  update();
}
void Canvas::setPlainWheelZooms(bool zooms) {
  state_->plainWheelZooms = zooms;
}
void Canvas::setReducedMotion(bool reduced) {
  state_->reducedMotion = reduced;
}

bool Canvas::isExpanded(const SceneRef& ref) const {
  auto node = state_->nodeAt(ref);
  return node && state_->expansion.open.contains(state_->scene->nodes[static_cast<std::size_t>(*node)].path);
}

void Canvas::setExpanded(const SceneRef& ref, bool expanded) {
  if (auto node = state_->nodeAt(ref)) state_->setOpen(*node, expanded);
}
void Canvas::toggle(const SceneRef& ref) {
  setExpanded(ref, !isExpanded(ref));
}

void Canvas::expandAll() {
  if (!scene()) return;
  for (int node : State::openable(*scene()))
    state_->expansion.open.insert(scene()->nodes[static_cast<std::size_t>(node)].path);
  state_->arrange();
  emit expansionChanged();
}

void Canvas::collapseAll() {
  state_->expansion.open.clear();
  state_->arrange();
  emit expansionChanged();
}

void Canvas::showInstance(core::StackId stack, int instance) {
  if (auto node = state_->nodeAt(SceneRef::of(stack))) state_->showInstance(*node, instance);
}

int Canvas::instance(core::StackId stack) const {
  auto node = state_->nodeAt(SceneRef::of(stack));
  return node ? state_->expansion.instance.value(state_->scene->nodes[static_cast<std::size_t>(*node)].path, 0) : 0;
}

void Canvas::enter(core::GroupId group) {
  auto node = state_->nodeAt(SceneRef::of(group));
  if (!node || *node == state_->root) return;
  int root = *node;
  // Of a stack's instance, the stack with that instance: carried values are its own.
  int parent = state_->scene->nodes[static_cast<std::size_t>(root)].parent;
  if (parent >= 0 && state_->scene->nodes[static_cast<std::size_t>(parent)].kind == SceneNodeKind::stack) {
    state_->expansion.instance[state_->scene->nodes[static_cast<std::size_t>(parent)].path] =
        state_->scene->nodes[static_cast<std::size_t>(root)].kind == SceneNodeKind::group
            ? static_cast<int>(std::find(state_->scene->nodes[static_cast<std::size_t>(parent)].children.begin(),
                                         state_->scene->nodes[static_cast<std::size_t>(parent)].children.end(), root) -
                               state_->scene->nodes[static_cast<std::size_t>(parent)].children.begin())
            : 0;
    root = parent;
  }
  state_->root = root;
  state_->viewChosen = false;
  state_->arrange();
  emit enteredChanged(entered());
}

void Canvas::leave() {
  if (!state_->scene || state_->root == 0) return;
  int parent = state_->scene->nodes[static_cast<std::size_t>(state_->root)].parent;
  if (parent > 0 &&
      state_->scene->nodes[static_cast<std::size_t>(state_->scene->nodes[static_cast<std::size_t>(parent)].parent)]
              .kind == SceneNodeKind::stack)
    parent = state_->scene->nodes[static_cast<std::size_t>(parent)].parent;
  state_->root = std::max(0, parent);
  state_->viewChosen = false;
  state_->arrange();
  emit enteredChanged(entered());
}

core::GroupId Canvas::entered() const {
  if (!state_->scene || state_->scene->nodes.empty()) return core::GroupId(0);
  const SceneNode& root = state_->scene->nodes[static_cast<std::size_t>(state_->root)];
  if (root.kind == SceneNodeKind::group) return core::GroupId(root.index);
  int shown = std::clamp(state_->expansion.instance.value(root.path, 0), 0, root.multiplicity - 1);
  return core::GroupId(
      state_->scene->nodes[static_cast<std::size_t>(root.children[static_cast<std::size_t>(shown)])].index);
}

void Canvas::fitAll() {
  state_->viewChosen = true;
  if (state_->picture) state_->fit(state_->picture->bounds);
}

void Canvas::fitSelection() {
  QRectF all;
  for (const SceneRef& ref : state_->selection) all |= state_->screenRect(ref);
  if (all.isEmpty()) return fitAll();
  state_->viewChosen = true;
  state_->fit(state_->view.toScene(all));
}

void Canvas::zoomBy(double factor) {
  state_->viewChosen = true;
  state_->setView(state_->view.zoomed(factor, QPointF(width() / 2.0, height() / 2.0)));
}
void Canvas::resetZoom() {
  zoomBy(1 / state_->view.zoom);
}
double Canvas::zoom() const {
  return state_->view.zoom;
}

void Canvas::panBy(QPointF pixels) {
  state_->viewChosen = true;
  state_->setView(state_->view.panned(pixels));
}

void Canvas::reveal(const SceneRef& ref) {
  State& s = *state_;
  if (s.pending) {
    s.toReveal = ref;
    return;
  }
  auto node = s.nodeAt(ref);
  if (!node) return;
  bool changed = false;
  for (int at = s.scene->nodes[static_cast<std::size_t>(*node)].parent, below = *node; at > 0;
       below = at, at = s.scene->nodes[static_cast<std::size_t>(at)].parent) {
    const SceneNode& n = s.scene->nodes[static_cast<std::size_t>(at)];
    int parent = n.parent;
    if (n.kind == SceneNodeKind::stack) {
      int number = static_cast<int>(std::find(n.children.begin(), n.children.end(), below) - n.children.begin());
      changed |= s.expansion.instance.value(n.path, 0) != number;
      s.expansion.instance[n.path] = number;
    }
    bool isInstance = parent >= 0 && s.scene->nodes[static_cast<std::size_t>(parent)].kind == SceneNodeKind::stack;
    if (!isInstance && !s.expansion.open.contains(n.path) && at != s.root) {
      s.expansion.open.insert(n.path);
      changed = true;
    }
  }
  if (s.root != 0 && s.picture && s.drawn(*node) < 0 && !changed) {
    s.root = 0;
    changed = true;
    emit enteredChanged(entered());
  }
  if (changed) {
    s.toReveal = ref;
    s.viewChosen = true;
    s.arrange();
    emit expansionChanged();
    return;
  }
  QRectF rect = s.screenRect(ref);
  if (rect.isNull()) return;
  s.viewChosen = true;
  View next = s.view;
  if (next.zoom < 0.5) next = next.zoomed(0.8 / next.zoom, rect.center());
  if (!QRectF(this->rect()).adjusted(20, 20, -20, -20).contains(next.toScreen(s.view.toScene(rect))))
    next.origin = s.view.toScene(rect).center() - QPointF(width(), height()) / (2 * next.zoom);
  s.setView(next);
}

QRectF Canvas::contentRect() const {
  return state_->picture ? state_->picture->bounds : QRectF();
}
QRectF Canvas::rectOf(const SceneRef& ref) const {
  if (ref.kind != SceneRef::Kind::collective || !state_->ready()) return state_->screenRect(ref);
  const std::vector<PlacedPill>& placed = state_->placedPills();
  for (std::size_t p = 0; p < placed.size(); ++p)
    if (state_->picture->pills[p].pill == ref.index) return placed[p].rect;
  return {};
}

bool Canvas::isDrawnClosed(const SceneRef& ref) const {
  auto node = state_->ready() ? state_->nodeAt(ref) : std::nullopt;
  int at = node ? state_->picture->at[static_cast<std::size_t>(*node)] : -1;
  return at >= 0 && !state_->picture->nodes[static_cast<std::size_t>(at)].open;
}

int Canvas::pillCount() const {
  return state_->ready() ? static_cast<int>(state_->picture->pills.size()) : 0;
}

QRectF Canvas::dimensionRect(core::TensorId tensor, int dimension) const {
  if (!state_->ready()) return {};
  for (const PictureNode& node : state_->picture->nodes) {
    const SceneNode& s = state_->scene->nodes[static_cast<std::size_t>(node.node)];
    if (node.open || std::find(s.rows.begin(), s.rows.end(), tensor.value) == s.rows.end()) continue;
    for (const ChipBox& chip :
         chipBoxes(*state_->scene, s, state_->view.toScreen(node.rect), state_->view.zoom, font()))
      if (chip.tensor == tensor.value && chip.dim == dimension) return chip.rect;
  }
  return {};
}

SceneRef Canvas::at(QPointF position) const {
  return state_->hit(position).ref;
}

void Canvas::setLayoutProgram(const QString& path) {
  state_->arranger.setProgram(path);
}
bool Canvas::layingOut() const {
  return state_->arranger.busy() || state_->movement.isActive();
}
bool Canvas::usedFallback() const {
  return state_->picture && state_->picture->fallback;
}
void Canvas::setDropCheck(DropCheck check) {
  state_->check = std::move(check);
}

void Canvas::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (!state_->ready()) {
    painter.fillRect(rect(), theme().ground);
    painter.setPen(theme().muted);
    painter.drawText(rect(), Qt::AlignCenter, state_->pending ? tr("Laying out\u2026") : tr("No graph"));
    return;
  }
  paintCanvas(painter, state_->look());
  if (!state_->band.isEmpty()) {
    QColor fill = theme().accent;
    fill.setAlphaF(0.12f);
    painter.setBrush(fill);
    painter.setPen(cosmetic(theme().accent, 1, Qt::DashLine));
    painter.drawRect(state_->band);
  }
}

void Canvas::resizeEvent(QResizeEvent*) {
  if (state_->picture && !state_->viewChosen) state_->fit(state_->picture->bounds);
}

QString Canvas::dump() const {
  if (!state_->ready()) return QStringLiteral("nothing\n");
  static const char* details[] = {"overview", "map", "standard", "full"};
  QString text = QStringLiteral("detail %1, overlay %2\n")
                     .arg(QLatin1String(details[static_cast<int>(state_->detail)]))
                     .arg(static_cast<int>(state_->overlay));
  QRectF window(rect());
  for (const PictureNode& node : state_->picture->nodes) {
    if (!window.intersects(state_->view.toScreen(node.rect))) continue;
    const SceneNode& s = state_->scene->nodes[static_cast<std::size_t>(node.node)];
    static const char* kinds[] = {"op", "group", "stack", "input", "output"};
    text += QString(2 * node.depth, QLatin1Char(' ')) + QLatin1String(kinds[static_cast<int>(s.kind)]) +
            QLatin1Char(' ') + s.title;
    if (s.multiplicity > 1) text += QStringLiteral(" x%1").arg(s.multiplicity);
    if (node.open) text += QStringLiteral(" open");
    text += QLatin1Char('\n');
  }
  QStringList pills;
  for (const PicturePill& pill : state_->picture->pills)
    pills += pillText(*state_->scene, state_->scene->pills[static_cast<std::size_t>(pill.pill)], Detail::map);
  if (!pills.isEmpty()) text += QStringLiteral("pills: ") + pills.join(QStringLiteral("; ")) + QLatin1Char('\n');
  return text;
}

}  // namespace ui
