#include "ui/widgets/chip.h"

#include <QApplication>
#include <QDrag>
#include <QDragEnterEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QMouseEvent>
#include <QPainter>
#include <QPixmap>

#include "ui/theme/theme.h"
#include "ui/widgets/paint_tools.h"

namespace ui {

namespace {

QMimeData* mimeData(const char* type, const QString& name) {
  auto* data = new QMimeData;
  data->setData(QLatin1String(type), name.toUtf8());
  data->setText(name);
  return data;
}

QString dropped(const QMimeData* data, const char* type) {
  return data && data->hasFormat(QLatin1String(type)) ? QString::fromUtf8(data->data(QLatin1String(type))) : QString();
}

}  // namespace

QMimeData* dimensionMimeData(const QString& name) {
  return mimeData(dimensionMime, name);
}
QMimeData* axisMimeData(const QString& name) {
  return mimeData(axisMime, name);
}
QString droppedDimension(const QMimeData* data) {
  return dropped(data, dimensionMime);
}
QString droppedAxis(const QMimeData* data) {
  return dropped(data, axisMime);
}

Chip::Chip(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setAcceptDrops(true);
  setAttribute(Qt::WA_Hover);
  setCursor(Qt::OpenHandCursor);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void Chip::setTargetLit(bool lit) {
  if (lit_ == lit) return;
  lit_ = lit;
  update();
}

void Chip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paintChip(painter);
  if (hasFocus()) paintFocusRing(painter, QRectF(rect()), 6);
}

void Chip::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) pressedAt_ = event->pos();
  event->accept();
}

void Chip::mouseMoveEvent(QMouseEvent* event) {
  bool far = (event->pos() - pressedAt_).manhattanLength() >= QApplication::startDragDistance();
  if ((event->buttons() & Qt::LeftButton) && far) startDrag();
}

void Chip::mouseDoubleClickEvent(QMouseEvent*) {
  emit activated();
}

void Chip::startDrag() {
  auto* drag = new QDrag(this);
  drag->setMimeData(dragData());
  QPixmap picture = grab();
  drag->setPixmap(picture);
  drag->setHotSpot(pressedAt_);
  emit dragStarted(dragName());
  drag->exec(Qt::CopyAction);
  emit dragEnded();
}

void Chip::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
      emit activated();
      return;
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
      emit removeRequested(QString());
      return;
    case Qt::Key_P:
      emit pinRequested();
      return;
    default:
      QWidget::keyPressEvent(event);
  }
}

void Chip::dragEnterEvent(QDragEnterEvent* event) {
  QString name = droppedName(event->mimeData());
  if (name.isEmpty()) return;
  targeted_ = true;
  event->accept();  // an illegal target is entered too: it says why
  update();
  emit previewed(name, mapToGlobal(event->position().toPoint()));
}

void Chip::dragMoveEvent(QDragMoveEvent* event) {
  QString name = droppedName(event->mimeData());
  event->setDropAction(Qt::CopyAction);
  event->setAccepted(!name.isEmpty() && refusal().isEmpty());
  emit previewed(name, mapToGlobal(event->position().toPoint()));
}

void Chip::dragLeaveEvent(QDragLeaveEvent*) {
  targeted_ = false;
  update();
  emit previewEnded();
}

void Chip::dropEvent(QDropEvent* event) {
  QString name = droppedName(event->mimeData());
  targeted_ = false;
  update();
  emit previewEnded();
  if (name.isEmpty() || !refusal().isEmpty()) return;
  event->setDropAction(Qt::CopyAction);
  event->accept();
  emit this->dropped(name);
}

void Chip::enterEvent(QEnterEvent*) {
  hovered_ = true;
  update();
}

void Chip::leaveEvent(QEvent*) {
  hovered_ = false;
  update();
}

}  // namespace ui
