#include "ui/theme/hatch.h"

#include <QPainter>
#include <QStringList>

namespace ui {

QString axisLetter(const QStringList& axes, int index) {
  QString taken;
  for (int i = 0; i < axes.size() && i <= index; ++i) {
    QString own;
    for (QChar c : axes[i])
      if (c.isLetterOrNumber() && !taken.contains(c)) {
        own = c;
        break;
      }
    if (own.isEmpty()) own = QString::number(i + 1);
    if (i == index) return own;
    taken += own;
  }
  return QStringLiteral("?");
}

QBrush axisHatch(int axis, const QColor& line) {
  static constexpr Qt::BrushStyle styles[] = {Qt::BDiagPattern, Qt::FDiagPattern, Qt::HorPattern,
                                              Qt::VerPattern,   Qt::CrossPattern, Qt::DiagCrossPattern};
  return axis < 0 ? QBrush(Qt::NoBrush) : QBrush(line, styles[axis % 6]);
}

QBrush memoryHatch(int memoryClass, const QColor& line) {
  if (memoryClass == 3) return QBrush(line, Qt::BDiagPattern);
  if (memoryClass == 4) return QBrush(line, Qt::HorPattern);
  if (memoryClass == 5) return QBrush(line, Qt::Dense6Pattern);
  return QBrush(Qt::NoBrush);
}

void fillHatched(QPainter& painter, const QRectF& rect, const QColor& fill, const QBrush& hatch) {
  painter.fillRect(rect, fill);
  if (hatch.style() != Qt::NoBrush) painter.fillRect(rect, hatch);
}

}  // namespace ui
