#include "ui/widgets/paint_tools.h"

#include <QPainterPath>

#include "ui/theme/hatch.h"
#include "ui/theme/theme.h"

namespace ui {

QPen cosmetic(const QColor& colour, double width, Qt::PenStyle style) {
  QPen pen(colour, width, style, Qt::RoundCap, Qt::RoundJoin);
  pen.setCosmetic(true);
  return pen;
}

QFont sized(QFont font, double pixels, bool bold) {
  font.setPixelSize(qMax(9, qRound(pixels)));
  font.setBold(bold);
  return font;
}

void paintFocusRing(QPainter& painter, const QRectF& rect, double radius) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(cosmetic(theme().accent, 2));
  painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), radius, radius);
  painter.restore();
}

namespace {

QString tagText(const AxisTag& tag, bool withSize) {
  return withSize ? tag.name + QStringLiteral("\u2009\u00D7") + QString::number(tag.size) : tag.name;
}

}  // namespace

double axisTagWidth(const QFontMetricsF& metrics, const AxisTag& tag, bool withSize) {
  return 18 + metrics.horizontalAdvance(tagText(tag, withSize)) + 8;
}

void paintAxisTag(QPainter& painter, const QRectF& rect, const AxisTag& tag, const QStringList& meshAxes,
                  bool withSize) {
  const Theme& t = theme();
  QColor hue = t.axis(tag.index);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  QPainterPath outline;
  outline.addRoundedRect(rect, 4, 4);
  painter.setClipPath(outline, Qt::IntersectClip);
  painter.fillPath(outline, mix(t.surface, hue, 0.16));
  QRectF tile(rect.left(), rect.top(), 16, rect.height());
  painter.fillRect(tile, hue);
  painter.fillRect(QRectF(tile.left(), tile.bottom() - 4, tile.width(), 4),
                   axisHatch(tag.index, mix(hue, textOn(hue), 0.75)));
  QFont font = painter.font();
  font.setBold(true);
  painter.setFont(font);
  painter.setPen(textOn(hue));
  painter.drawText(tile.adjusted(0, -1, 0, -2), Qt::AlignCenter, axisLetter(meshAxes, tag.index));
  font.setBold(false);
  painter.setFont(font);
  painter.setPen(t.text);
  painter.drawText(rect.adjusted(20, 0, -3, 0), Qt::AlignVCenter | Qt::AlignLeft, tagText(tag, withSize));
  painter.setClipping(false);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(cosmetic(hue));
  painter.drawPath(outline);
  painter.restore();
}

void paintSource(QPainter& painter, QPointF centre, ChipSource source, const QColor& colour) {
  if (source != ChipSource::pinned && source != ChipSource::search) return;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.translate(centre);
  painter.setPen(cosmetic(colour, 1.3));
  painter.setBrush(colour);
  if (source == ChipSource::pinned) {
    painter.drawPolygon(QPolygonF({{-2.5, -4.5}, {2.5, -4.5}, {1.8, -0.5}, {3.8, 1.2}, {-3.8, 1.2}, {-1.8, -0.5}}));
    painter.drawLine(QPointF(0, 1.2), QPointF(0, 5));
  } else {
    painter.drawPolygon(
        QPolygonF({{0, -5}, {1.2, -1.2}, {5, 0}, {1.2, 1.2}, {0, 5}, {-1.2, 1.2}, {-5, 0}, {-1.2, -1.2}}));
  }
  painter.restore();
}

void paintSplitMark(QPainter& painter, const QRectF& rect, const QColor& hue, qint64 parts) {
  QRectF band(rect.left(), rect.bottom() - 3, rect.width(), 3);
  painter.fillRect(band, hue);
  if (parts < 2 || parts > 8) return;
  for (qint64 i = 1; i < parts; ++i) {
    double x = band.left() + band.width() * static_cast<double>(i) / static_cast<double>(parts);
    painter.fillRect(QRectF(x - 0.75, band.top() - 2, 1.5, 5), theme().surface);
  }
}

}  // namespace ui
