#pragma once

#include <QPainter>
#include <QPen>
#include <QStringList>
#include <QWidget>

#include "ui/widgets/chip.h"

namespace ui {

// A pen of a width in device-independent pixels that zoom does not change.
QPen cosmetic(const QColor& colour, double width = 1, Qt::PenStyle style = Qt::SolidLine);

// The same font at a size in device-independent pixels; never under 9 pt, the least that the window shows.
QFont sized(QFont font, double pixels, bool bold = false);
inline constexpr double leastTextPixels = 12;  // 9 pt at 96 dpi

void paintFocusRing(QPainter& painter, const QRectF& rect, double radius = 5);

// The mark of an axis: its letter in a small tile of its hue with its hatch. Returns the width that it took.
double axisTagWidth(const QFontMetricsF& metrics, const AxisTag& tag, bool withSize);
void paintAxisTag(QPainter& painter, const QRectF& rect, const AxisTag& tag, const QStringList& meshAxes,
                  bool withSize);

// A pin, a spark: how a decision came about, drawn 10 pixels wide.
void paintSource(QPainter& painter, QPointF centre, ChipSource source, const QColor& colour);

// Lower edge of a chip: as many cuts as the split has parts (to 8, above that none: the tag has the number).
void paintSplitMark(QPainter& painter, const QRectF& rect, const QColor& hue, qint64 parts);

}  // namespace ui
