#include "ui/panels/parts/flow_layout.h"

#include <QWidget>

namespace ui {

FlowLayout::FlowLayout(QWidget* parent, int gap) : QLayout(parent) {
  setContentsMargins(0, 0, 0, 0);
  setSpacing(gap);
}

FlowLayout::~FlowLayout() {
  for (QLayoutItem* item : items_) delete item;
}

QLayoutItem* FlowLayout::itemAt(int index) const {
  return index >= 0 && index < count() ? items_[static_cast<std::size_t>(index)] : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index) {
  QLayoutItem* item = itemAt(index);
  if (item) items_.erase(items_.begin() + index);
  return item;
}

QSize FlowLayout::minimumSize() const {
  QSize size;
  for (QLayoutItem* item : items_) size = size.expandedTo(item->minimumSize());
  return size;
}

void FlowLayout::setGeometry(const QRect& rect) {
  QLayout::setGeometry(rect);
  place(rect, true);
}

int FlowLayout::place(const QRect& rect, bool move) const {
  int x = rect.x(), y = rect.y(), rowHeight = 0;
  for (QLayoutItem* item : items_) {
    if (item->isEmpty()) continue;
    QSize size = item->sizeHint().boundedTo(QSize(qMax(rect.width(), item->minimumSize().width()), QWIDGETSIZE_MAX));
    if (x > rect.x() && x + size.width() > rect.right() + 1) {
      x = rect.x();
      y += rowHeight + spacing();
      rowHeight = 0;
    }
    if (move) item->setGeometry({QPoint(x, y), size});
    x += size.width() + spacing();
    rowHeight = qMax(rowHeight, size.height());
  }
  return y + rowHeight - rect.y();
}

}  // namespace ui
