#pragma once

#include <QBrush>
#include <QColor>
#include <QString>

class QPainter;
class QRectF;

namespace ui {

// The letter that stands for an axis wherever its hue does: "data" -> "d"; the first letter that no earlier axis has
// taken.
QString axisLetter(const QStringList& axes, int index);

// A hatch of its own for each axis, drawn over its hue in thin lines; device-independent, cosmetic.
QBrush axisHatch(int axis, const QColor& line);
// Activations are hatched, inputs dotted, the others plain (Qt::NoBrush).
QBrush memoryHatch(int memoryClass, const QColor& line);

void fillHatched(QPainter& painter, const QRectF& rect, const QColor& fill, const QBrush& hatch);

}  // namespace ui
