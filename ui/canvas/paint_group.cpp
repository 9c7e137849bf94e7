#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include "ui/canvas/look.h"
#include "ui/theme/hatch.h"
#include "ui/theme/theme.h"
#include "ui/widgets/number_text.h"
#include "ui/widgets/paint_tools.h"

namespace ui {

namespace {

void paintChevron(QPainter& painter, const QRectF& box, bool open, const QColor& colour) {
  QPointF c = box.center();
  double s = std::min(4.5, box.width() / 3);
  painter.setPen(cosmetic(colour, 1.8));
  painter.setBrush(Qt::NoBrush);
  if (open)
    painter.drawPolyline(QPolygonF({{c.x() - s, c.y() - s / 2}, {c.x(), c.y() + s / 2}, {c.x() + s, c.y() - s / 2}}));
  else
    painter.drawPolyline(QPolygonF({{c.x() - s / 2, c.y() - s}, {c.x() + s / 2, c.y()}, {c.x() - s / 2, c.y() + s}}));
}

void paintArrowButton(QPainter& painter, const QRectF& box, bool forward) {
  QPointF c = box.center();
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme().muted);
  double d = forward ? 1 : -1;
  painter.drawPolygon(
      QPolygonF({{c.x() - 3 * d, c.y() - 4.5}, {c.x() + 3.5 * d, c.y()}, {c.x() - 3 * d, c.y() + 4.5}}));
}

// The value that each instance hands to the next: out below, back in above.
void paintLoop(QPainter& painter, const QRectF& rect, double zoom, int times) {
  const Theme& t = theme();
  double out = 15 * std::min(1.2, zoom), x = rect.right() + out;
  double top = rect.top() + rect.height() * 0.2, bottom = rect.bottom() - rect.height() * 0.2,
         r = std::min(7.0, out / 2);
  QPainterPath path(QPointF(rect.right(), bottom));
  path.lineTo(x - r, bottom);
  path.quadTo(x, bottom, x, bottom - r);
  path.lineTo(x, top + r);
  path.quadTo(x, top, x - r, top);
  path.lineTo(rect.right() + 3, top);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(cosmetic(t.muted, 1.6));
  painter.drawPath(path);
  painter.setBrush(t.muted);
  painter.setPen(Qt::NoPen);
  painter.drawPolygon(QPolygonF({{rect.right() + 1, top}, {rect.right() + 7, top - 4}, {rect.right() + 7, top + 4}}));
  if (zoom < 0.55) return;
  painter.setFont(sized(painter.font(), leastTextPixels));
  writeText(painter, QRectF(x + 4, top, 60, bottom - top), QStringLiteral("\u00D7%1").arg(times), t.muted);
}

QColor bodyColour(int depth) {
  const Theme& t = theme();
  return depth % 2 == 0 ? mix(t.ground, t.raised, 0.75) : mix(t.ground, t.surface, 0.9);
}

// Axes that split anything inside, as a band along the lower edge.
void paintAxisBand(QPainter& painter, const Look& look, const PictureNode& node, const QRectF& band) {
  double x = band.left();
  for (int axis = 0; axis < look.scene.axes.size(); ++axis) {
    if (!node.axes.contains(static_cast<core::AxisId>(axis))) continue;
    QColor hue = theme().axis(axis);
    fillHatched(painter, QRectF(x, band.top(), 16, band.height()), hue, axisHatch(axis, mix(hue, textOn(hue), 0.5)));
    x += 18;
  }
}

}  // namespace

HeaderParts headerParts(const SceneNode& node, const QRectF& rect, double zoom) {
  HeaderParts parts;
  double height = std::max(16.0, groupHeader * zoom);
  parts.header = {rect.left(), rect.top(), rect.width(), std::min(height, rect.height())};
  parts.chevron = {rect.left() + 4, rect.top(), 20, parts.header.height()};
  if (node.kind == SceneNodeKind::stack && rect.width() > 190) {
    parts.next = {rect.right() - 24, rect.top(), 20, parts.header.height()};
    parts.label = {rect.right() - 110, rect.top(), 86, parts.header.height()};
    parts.previous = {rect.right() - 132, rect.top(), 20, parts.header.height()};
  }
  return parts;
}

QRectF cardChevron(const QRectF& rect, double zoom) {
  double s = std::max(16.0, 22 * std::min(1.2, zoom));
  return {rect.left() + 4, rect.top() + 4 * std::min(1.0, zoom), s, s};
}

void paintOpen(QPainter& painter, const Look& look, int index) {
  const Theme& t = theme();
  const PictureNode& drawn = look.picture.nodes[static_cast<std::size_t>(index)];
  const SceneNode& node = look.scene.nodes[static_cast<std::size_t>(drawn.node)];
  QRectF rect = look.rect(index);
  bool selected = look.selectedNodes[static_cast<std::size_t>(drawn.node)], hovered = look.hover == node.ref();
  bool stack = node.kind == SceneNodeKind::stack;
  double radius = std::min(10.0, rect.width() / 10);
  QPen outline = cosmetic(selected ? t.accent : hovered ? t.strong : t.border, selected ? 2.5 : 1.2);
  if (stack && rect.width() > 20)
    for (int i = 2; i >= 1; --i) {  // the sheets behind
      double by = 4.0 * i * std::min(1.0, look.view.zoom + 0.3);
      painter.setPen(cosmetic(t.border));
      painter.setBrush(mix(t.ground, t.raised, 0.5));
      painter.drawRoundedRect(rect.translated(by, by), radius, radius);
    }
  painter.setPen(outline);
  painter.setBrush(bodyColour(drawn.depth));
  painter.drawRoundedRect(rect, radius, radius);
}

// After the edges, which pass under it.
void paintHeader(QPainter& painter, const Look& look, int index) {
  const Theme& t = theme();
  const PictureNode& drawn = look.picture.nodes[static_cast<std::size_t>(index)];
  const SceneNode& node = look.scene.nodes[static_cast<std::size_t>(drawn.node)];
  QRectF rect = look.rect(index);
  bool stack = node.kind == SceneNodeKind::stack;
  HeaderParts parts = headerParts(node, rect, look.view.zoom);
  if (rect.width() < 46 || rect.height() < 18) return;
  painter.setPen(Qt::NoPen);
  painter.setBrush(bodyColour(drawn.depth));
  painter.drawRoundedRect(parts.header.adjusted(2, 2, -2, 0), 8, 8);
  painter.setFont(sized(look.font, std::clamp(14 * look.view.zoom, 12.0, 17.0), true));
  paintChevron(painter, parts.chevron, true, t.muted);
  QRectF text = parts.header.adjusted(26, 0, parts.label.isValid() ? -140 : -8, 0);
  double width = QFontMetricsF(painter.font()).horizontalAdvance(node.title);
  writeText(painter, text, node.title, t.text);
  if (stack) {
    writeText(painter, text.adjusted(width + 8, 0, 0, 0), QStringLiteral("\u00D7%1").arg(node.multiplicity), t.accent);
    width += 44;
  }
  painter.setFont(sized(look.font, std::clamp(leastTextPixels * look.view.zoom, 11.0, 14.0)));
  QString figure = overlayText(node, look.overlay == Overlay::none ? Overlay::memory : look.overlay);
  writeWhole(painter, text.adjusted(width + 14, 0, 0, 0), figure, t.muted);
  if (!parts.label.isValid() || !look.expansion) return;
  int shown = std::clamp(look.expansion->instance.value(node.path, 0), 0, node.multiplicity - 1);
  writeText(painter, parts.label, Canvas::tr("%1 of %2").arg(shown + 1).arg(node.multiplicity), t.muted,
            Qt::AlignCenter);
  paintArrowButton(painter, parts.previous, false);
  paintArrowButton(painter, parts.next, true);
}

void paintCard(QPainter& painter, const Look& look, int index) {
  const Theme& t = theme();
  const PictureNode& drawn = look.picture.nodes[static_cast<std::size_t>(index)];
  const SceneNode& node = look.scene.nodes[static_cast<std::size_t>(drawn.node)];
  QRectF rect = look.rect(index);
  const double zoom = look.view.zoom;
  bool selected = look.selectedNodes[static_cast<std::size_t>(drawn.node)], hovered = look.hover == node.ref();
  bool stack = node.kind == SceneNodeKind::stack;
  QColor fill = nodeFill(look, node);
  double radius = std::min(9.0, rect.height() / 5);
  QColor outline = selected ? t.accent : hovered ? t.text : t.strong;
  if (stack && rect.height() > 8)
    for (int i = 2; i >= 1; --i) {
      double by = 4.5 * i * std::min(1.0, zoom);
      painter.setPen(cosmetic(mix(t.strong, t.ground, 0.35)));
      painter.setBrush(mix(t.ground, t.surface, 0.6));
      painter.drawRoundedRect(rect.translated(by, by), radius, radius);
    }
  painter.setPen(cosmetic(outline, selected ? 2.5 : hovered ? 1.8 : 1.3));
  painter.setBrush(fill);
  painter.drawRoundedRect(rect, radius, radius);
  if (stack && node.carries && rect.height() > 14)
    paintLoop(painter, rect.adjusted(0, 0, 9 * std::min(1.0, zoom), 9 * std::min(1.0, zoom)), zoom,
              node.multiplicity - 1);

  QColor ink = textOn(fill), quiet = mix(ink, fill, 0.32);
  bool small = rect.height() < 34;
  QString times = stack ? QStringLiteral("\u00D7%1").arg(node.multiplicity) : QString();
  painter.setFont(
      sized(look.font, small ? std::clamp(rect.height() * 0.55, 9.0, 12.0) : std::clamp(14 * zoom, 12.0, 18.0), true));
  double width = QFontMetricsF(painter.font()).horizontalAdvance(node.title + QLatin1Char(' ') + times);
  if (small) {
    if (rect.height() >= 11 && width + 8 < rect.width() * 1.6)
      writeText(painter, rect.adjusted(4, 0, -4, 0), (node.title + QLatin1Char(' ') + times).trimmed(), ink,
                Qt::AlignCenter);
    else if (rect.width() > width + 10)
      writeText(painter, rect, node.title, ink, Qt::AlignCenter);
    if (rect.height() >= 11) {  // the axes used inside, and one badge for all that is communicated there
      paintAxisBand(painter, look, drawn, QRectF(rect.left() + 4, rect.bottom() - 3, 0, 3));
      painter.setFont(sized(look.font, 10));
      writeText(painter, QRectF(rect.right() + (node.carries ? 34 : 6), rect.top(), 120, rect.height()),
                drawn.collectives, t.muted);
    }
    return;
  }
  paintChevron(painter, cardChevron(rect, zoom), false, quiet);
  QRectF line(rect.left() + 28 * std::min(1.2, zoom), rect.top() + 5 * zoom, rect.width() - 38 * std::min(1.2, zoom),
              26 * zoom);
  writeText(painter, line, node.title, ink);
  if (stack)
    writeText(painter, line, times, look.overlay == Overlay::none ? t.accent : ink, Qt::AlignRight | Qt::AlignVCenter);
  painter.setFont(sized(look.font, std::clamp(leastTextPixels * zoom, 11.0, 15.0)));
  QRectF second = line.translated(0, 24 * zoom);
  if (look.stale) painter.setOpacity(0.55);
  QString inside = node.layouts > 1 ? Canvas::tr("%1 layouts").arg(node.layouts) : drawn.collectives;
  QString figure = overlayText(node, look.overlay == Overlay::none ? Overlay::memory : look.overlay);
  double figureWidth = QFontMetricsF(painter.font()).horizontalAdvance(figure);
  writeText(painter, second.adjusted(0, 0, -figureWidth - 8, 0), inside.isEmpty() ? node.subtitle : inside, quiet);
  writeWhole(painter, second, figure, ink, Qt::AlignRight | Qt::AlignVCenter);
  paintAxisBand(painter, look, drawn,
                QRectF(rect.left() + 28 * std::min(1.2, zoom), rect.bottom() - 6 * std::min(1.0, zoom), 0,
                       4 * std::min(1.0, zoom)));
  painter.setOpacity(1);
  paintProblem(painter, node, rect);
}

}  // namespace ui
