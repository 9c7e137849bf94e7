#include <QKeyEvent>

#include "ui/canvas/canvas_state.h"

namespace ui {

namespace {

std::vector<SceneRef> allShown(const Scene& scene, const Picture& picture) {
  std::vector<SceneRef> all;
  for (const PictureNode& node : picture.nodes)
    if (!node.open) all.push_back(scene.nodes[static_cast<std::size_t>(node.node)].ref());
  return all;
}

}  // namespace

void Canvas::keyPressEvent(QKeyEvent* event) {
  State& s = *state_;
  if (!s.ready()) return QWidget::keyPressEvent(event);
  const auto with = event->modifiers() & ~Qt::KeypadModifier;
  const bool control = with == Qt::ControlModifier, plain = with == Qt::NoModifier;
  SceneRef selected = s.selection.empty() ? SceneRef() : s.selection.back();
  QString dimension = s.chosen.valid() ? s.scene->tensors[static_cast<std::size_t>(s.chosen.tensor)]
                                             .dims[static_cast<std::size_t>(s.chosen.dim)]
                                             .name
                                       : QString();
  core::TensorId tensor(s.chosen.tensor);
  switch (event->key()) {
    case Qt::Key_F:
      return with & Qt::ShiftModifier ? fitAll() : fitSelection();
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      if (with & Qt::ControlModifier) return zoomBy(1.25);
      break;
    case Qt::Key_Minus:
      if (control) return zoomBy(0.8);
      break;
    case Qt::Key_0:
      if (control) return resetZoom();
      break;
    case Qt::Key_A:
      if (control) return s.select(allShown(*s.scene, *s.picture));
      break;
    case Qt::Key_Escape:
      if (s.gesture == State::Gesture::band) {
        s.gesture = State::Gesture::none;
        s.band = {};
        return update();
      }
      if (s.chosen.valid()) return s.choose({});
      return s.select({});
    case Qt::Key_L:
      return s.selectStream(!(with & Qt::ShiftModifier));
    case Qt::Key_T:
      return s.cycleTensor();
    case Qt::Key_Space:
      if (!event->isAutoRepeat()) {
        s.space = true;
        setCursor(Qt::OpenHandCursor);
      }
      return;
    case Qt::Key_Left:
    case Qt::Key_Right:
      if (control && selected.valid()) return setExpanded(selected, event->key() == Qt::Key_Right);
      if (plain) return s.walk(event->key());
      break;
    case Qt::Key_Up:
    case Qt::Key_Down:
      if (with == Qt::AltModifier && event->key() == Qt::Key_Up) return leave();
      if (with == Qt::AltModifier && selected.kind == SceneRef::Kind::group)
        return enter(core::GroupId(selected.index));
      if (with == Qt::AltModifier && selected.kind == SceneRef::Kind::stack) {
        const SceneNode& stack = s.scene->nodes[static_cast<std::size_t>(*s.nodeAt(selected))];
        return enter(
            core::GroupId(s.scene
                              ->nodes[static_cast<std::size_t>(
                                  stack.children[static_cast<std::size_t>(instance(core::StackId(stack.index)))])]
                              .index));
      }
      if (plain) return s.walk(event->key());
      break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (s.chosen.valid()) return emit axesRequested(tensor, dimension);
      if (selected.kind == SceneRef::Kind::group || selected.kind == SceneRef::Kind::stack) return toggle(selected);
      if (selected.valid()) return emit activated(selected);
      return;
    case Qt::Key_Delete:
      if (s.chosen.valid()) return emit unpinRequested(tensor, dimension);
      break;
    case Qt::Key_P:
      if (plain && s.chosen.valid()) return emit pinRequested(tensor, dimension);
      break;
    default:
      break;
  }
  QWidget::keyPressEvent(event);
}

void Canvas::keyReleaseEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Space || event->isAutoRepeat()) return QWidget::keyReleaseEvent(event);
  state_->space = false;
  if (state_->gesture != State::Gesture::pan) unsetCursor();
}

}  // namespace ui
