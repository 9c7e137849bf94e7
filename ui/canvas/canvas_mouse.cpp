#include <QContextMenuEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QWheelEvent>
#include <cmath>

#include "ui/canvas/canvas_state.h"

namespace ui {

void Canvas::wheelEvent(QWheelEvent* event) {
  State& s = *state_;
  s.viewChosen = true;
  bool zooms = bool(event->modifiers() & Qt::ControlModifier) != s.plainWheelZooms;
  QPointF by = event->pixelDelta().isNull() ? QPointF(event->angleDelta()) / 2 : QPointF(event->pixelDelta());
  if (zooms) {
    s.setView(s.view.zoomed(std::pow(1.0018, event->angleDelta().y()), event->position()));
  } else {
    if (event->modifiers() & Qt::ShiftModifier) by = {by.y(), by.x()};
    s.setView(s.view.panned(by));
  }
  event->accept();
}

void Canvas::mousePressEvent(QMouseEvent* event) {
  State& s = *state_;
  setFocus(Qt::MouseFocusReason);
  if (!s.ready()) return;
  s.pressed = s.last = event->position();
  s.modifiers = event->modifiers();
  if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && s.space)) {
    s.gesture = State::Gesture::pan;
    setCursor(Qt::ClosedHandCursor);
  } else if (event->button() == Qt::LeftButton) {
    s.gesture = State::Gesture::click;
  } else if (event->button() == Qt::RightButton) {
    SceneRef ref = s.hit(event->position()).ref;
    if (ref.valid() && !s.isSelected(ref)) s.select({ref});
  }
}

void Canvas::mouseMoveEvent(QMouseEvent* event) {
  State& s = *state_;
  if (!s.ready()) return;
  QPointF at = event->position();
  if (s.gesture == State::Gesture::pan) {
    panBy(at - s.last);
  } else if (s.gesture == State::Gesture::click && (at - s.pressed).manhattanLength() > 5 &&
             !s.hit(s.pressed).ref.valid()) {
    s.gesture = State::Gesture::band;
  }
  if (s.gesture == State::Gesture::band) {
    s.band = QRectF(s.pressed, at).normalized();
    update();
  }
  s.last = at;
  if (event->buttons() != Qt::NoButton) return;
  SceneRef under = s.hit(at).ref;
  if (under == s.hover) return;
  s.hover = under;
  update();
  emit hovered(under, event->globalPosition().toPoint());
}

void Canvas::mouseReleaseEvent(QMouseEvent* event) {
  State& s = *state_;
  State::Gesture was = s.gesture;
  s.gesture = State::Gesture::none;
  if (was == State::Gesture::pan) s.space ? setCursor(Qt::OpenHandCursor) : unsetCursor();
  if (was == State::Gesture::band) s.finishBand();
  if (was == State::Gesture::click && s.ready()) s.clicked(s.hit(event->position()), s.modifiers);
}

void Canvas::mouseDoubleClickEvent(QMouseEvent* event) {
  State& s = *state_;
  if (event->button() != Qt::LeftButton || !s.ready()) return;
  State::Hit hit = s.hit(event->position());
  if (hit.part == State::Hit::Part::header)
    toggle(hit.ref);
  else if (hit.ref.valid() && hit.part == State::Hit::Part::body)
    emit activated(hit.ref);
}

void Canvas::leaveEvent(QEvent*) {
  if (!state_->hover.valid()) return;
  state_->hover = {};
  update();
  emit hovered({}, QPoint());
}

void Canvas::contextMenuEvent(QContextMenuEvent* event) {
  State& s = *state_;
  bool keyboard = event->reason() == QContextMenuEvent::Keyboard;
  SceneRef ref = keyboard && !s.selection.empty() ? s.selection.back() : s.hit(event->pos()).ref;
  QPoint at = keyboard ? mapToGlobal(s.screenRect(ref).center().toPoint()) : event->globalPos();
  emit menuRequested(ref, at);
}

bool Canvas::event(QEvent* event) {
  if (event->type() == QEvent::NativeGesture) {
    auto* gesture = static_cast<QNativeGestureEvent*>(event);
    if (gesture->gestureType() == Qt::ZoomNativeGesture) {
      state_->viewChosen = true;
      state_->setView(state_->view.zoomed(1 + gesture->value(), gesture->position()));
      return true;
    }
  }
  if (event->type() == QEvent::FontChange && state_->scene) state_->arrange();
  return QWidget::event(event);
}

}  // namespace ui
