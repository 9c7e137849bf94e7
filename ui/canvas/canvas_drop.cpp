#include <QDragEnterEvent>
#include <QMimeData>

#include "ui/canvas/canvas_state.h"
#include "ui/widgets/chip.h"

namespace ui {

namespace {

QString dimensionName(const Scene& scene, const DimensionAt& at) {
  return scene.tensors[static_cast<std::size_t>(at.tensor)].dims[static_cast<std::size_t>(at.dim)].name;
}

}  // namespace

void Canvas::dragEnterEvent(QDragEnterEvent* event) {
  QString axis = droppedAxis(event->mimeData());
  if (axis.isEmpty() || !state_->ready()) return;
  state_->dropping = true;
  state_->dragged = axis;
  event->accept();
  update();
}

void Canvas::dragMoveEvent(QDragMoveEvent* event) {
  State& s = *state_;
  if (!s.dropping) return;
  DimensionAt now = s.hit(event->position()).dimension;
  if (now != s.target) {
    s.target = now;
    s.refusal = now.valid() && s.check ? s.check(core::TensorId(now.tensor), dimensionName(*s.scene, now), s.dragged)
                                       : QString();
    update();
    if (now.valid())
      emit dropPreviewed(core::TensorId(now.tensor), dimensionName(*s.scene, now), s.dragged,
                         mapToGlobal(event->position().toPoint()));
    else
      emit previewEnded();
  }
  event->setDropAction(Qt::CopyAction);
  event->setAccepted(now.valid() && s.refusal.isEmpty());
}

void Canvas::dragLeaveEvent(QDragLeaveEvent*) {
  State& s = *state_;
  bool previewed = s.target.valid();
  s.dropping = false;
  s.target = {};
  s.refusal.clear();
  update();
  if (previewed) emit previewEnded();
}

void Canvas::dropEvent(QDropEvent* event) {
  State& s = *state_;
  DimensionAt at = s.hit(event->position()).dimension;
  QString axis = droppedAxis(event->mimeData());
  QString refusal =
      at.valid() && s.check ? s.check(core::TensorId(at.tensor), dimensionName(*s.scene, at), axis) : QString();
  dragLeaveEvent(nullptr);
  if (!at.valid() || axis.isEmpty() || !refusal.isEmpty()) return event->ignore();
  event->setDropAction(Qt::CopyAction);
  event->accept();
  emit dropRequested(core::TensorId(at.tensor), dimensionName(*s.scene, at), axis,
                     event->modifiers() & Qt::AltModifier);
}

}  // namespace ui
