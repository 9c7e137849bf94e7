#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include "ui/canvas/look.h"
#include "ui/theme/hatch.h"
#include "ui/theme/theme.h"
#include "ui/widgets/paint_tools.h"

namespace ui {

namespace {

QString sizeText(qint64 size) {
  return size > 0 ? QString::number(size) : QStringLiteral("?");
}
double chipPixels(double zoom) {
  return std::clamp(leastTextPixels * zoom, leastTextPixels, 15.0);
}
double scaleOf(double zoom) {
  return chipPixels(zoom) / leastTextPixels;
}

qint64 parts(const Scene& scene, const SceneDim& dim) {
  qint64 n = 1;
  for (core::AxisId axis : dim.axes) n *= axis < scene.axisSizes.size() ? scene.axisSizes[axis] : 1;
  return n;
}

ChipSource sourceOf(core::Origin origin) {
  switch (origin) {
    case core::Origin::pin:
      return ChipSource::pinned;
    case core::Origin::rule:
      return ChipSource::rule;
    case core::Origin::choice:
      return ChipSource::search;
    case core::Origin::propagated:
      return ChipSource::inferred;
    case core::Origin::replicated:
      return ChipSource::none;
  }
  return ChipSource::none;
}

double chipWidth(const QFontMetricsF& metrics, const SceneDim& dim, double scale) {
  double width = metrics.horizontalAdvance(dim.name) + 4 * scale + metrics.horizontalAdvance(sizeText(dim.size)) +
                 2 * chipPadding * scale;
  width += static_cast<double>(dim.axes.size()) * chipTag * scale;
  if (dim.padding > 0) width += metrics.horizontalAdvance(QStringLiteral("+%1").arg(dim.padding)) + 4 * scale;
  if (dim.origin == core::Origin::pin || dim.origin == core::Origin::choice) width += 11 * scale;
  return width;
}

void paintTile(QPainter& painter, const Look& look, const QRectF& tile, int axis) {
  QColor hue = theme().axis(axis);
  painter.fillRect(tile, hue);
  painter.fillRect(QRectF(tile.left(), tile.bottom() - 4, tile.width(), 4),
                   axisHatch(axis, mix(hue, textOn(hue), 0.7)));
  QFont font = painter.font();
  font.setBold(true);
  painter.setFont(font);
  painter.setPen(textOn(hue));
  painter.drawText(tile.adjusted(0, -1, 0, -2), Qt::AlignCenter, axisLetter(look.scene.axes, axis));
  font.setBold(false);
  painter.setFont(font);
}

// Replicated hollow, split filled with the axis' tile and ticks along its lower edge; inferred and found ones dashed.
void paintDimension(QPainter& painter, const Look& look, const ChipBox& box) {
  const Theme& t = theme();
  const SceneDim& dim =
      look.scene.tensors[static_cast<std::size_t>(box.tensor)].dims[static_cast<std::size_t>(box.dim)];
  const double scale = scaleOf(look.view.zoom);
  bool split = !dim.axes.empty();
  QColor hue = split ? t.axis(dim.axes[0]) : t.border;
  DimensionAt here{box.tensor, box.dim};
  bool targeted = look.target == here, refused = targeted && !look.refusal.isEmpty();
  ChipSource source = sourceOf(dim.origin);
  bool decided = source == ChipSource::pinned || source == ChipSource::rule;
  QColor fill = split ? mix(t.surface, hue, decided ? 0.18 : 0.07) : t.surface;
  if (look.dropping) fill = mix(fill, t.accent, targeted ? 0.25 : 0.08);
  painter.setBrush(fill);
  bool dashed = split && (source == ChipSource::inferred || source == ChipSource::search);
  QColor edge = targeted ? (refused ? t.error : t.accent) : look.dropping ? mix(t.border, t.accent, 0.6) : hue;
  painter.setPen(cosmetic(edge, targeted ? 2 : 1, dashed && !targeted ? Qt::DashLine : Qt::SolidLine));
  painter.drawRoundedRect(box.rect, 3.5, 3.5);
  double x = box.rect.left();
  for (core::AxisId axis : dim.axes) {
    paintTile(painter, look, QRectF(x + 1, box.rect.top() + 1, chipTag * scale - 1, box.rect.height() - 2), axis);
    x += chipTag * scale;
  }
  x += chipPadding * scale;
  QFontMetricsF metrics(painter.font());
  auto write = [&](const QString& text, const QColor& colour) {
    double width = metrics.horizontalAdvance(text);
    writeText(painter, QRectF(x, box.rect.top(), width + 1, box.rect.height() - (split ? 2 : 0)), text, colour);
    x += width + 4 * scale;
  };
  write(dim.name, t.text);
  write(sizeText(dim.size), t.muted);
  if (dim.padding > 0) write(QStringLiteral("+%1").arg(dim.padding), t.warning);
  paintSource(painter, {x + 3 * scale, box.rect.center().y()}, source, t.text);
  if (split) paintSplitMark(painter, box.rect.adjusted(1, 0, -1, 0), hue, parts(look.scene, dim));
  if (look.chosen == here) paintFocusRing(painter, box.rect.adjusted(-2, -2, 2, 2), 4);
}

// Too small for names: a bar a dimension, filled with its axis where it is split.
void paintBars(QPainter& painter, const Look& look, const SceneTensor& tensor, const QRectF& row) {
  if (tensor.dims.empty()) return;
  const Theme& t = theme();
  double gap = 3, width = (row.width() - 20 * look.view.zoom - gap * static_cast<double>(tensor.dims.size())) /
                          static_cast<double>(tensor.dims.size());
  double x = row.left() + 14 * look.view.zoom, height = std::clamp(row.height() * 0.42, 2.0, 7.0);
  for (const SceneDim& dim : tensor.dims) {
    QRectF bar(x, row.center().y() - height / 2, std::max(2.0, width), height);
    QColor hue = dim.axes.empty() ? t.border : t.axis(dim.axes[0]);
    painter.fillRect(bar, dim.axes.empty() ? mix(t.surface, t.border, 0.55) : hue);
    if (!dim.axes.empty() && height >= 4) painter.fillRect(bar, axisHatch(dim.axes[0], mix(hue, textOn(hue), 0.6)));
    x += width + gap;
  }
}

}  // namespace

QRectF rowRect(const QRectF& node, std::size_t row, double zoom) {
  return {node.left(), node.top() + (headerHeight + rowHeight * static_cast<double>(row)) * zoom, node.width(),
          rowHeight * zoom};
}

std::vector<ChipBox> chipBoxes(const Scene& scene, const SceneNode& node, const QRectF& rect, double zoom,
                               const QFont& font) {
  std::vector<ChipBox> boxes;
  if (zoom < chipZoom) return boxes;
  QFontMetricsF metrics(sized(font, chipPixels(zoom)));
  const double scale = scaleOf(zoom);
  for (std::size_t r = 0; r < node.rows.size(); ++r) {
    QRectF row = rowRect(rect, r, zoom);
    double x = row.left() + 20 * scale, height = std::min(row.height() - 3, 19.0 * scale);
    const SceneTensor& tensor = scene.tensors[static_cast<std::size_t>(node.rows[r])];
    for (std::size_t d = 0; d < tensor.dims.size(); ++d) {
      double width = chipWidth(metrics, tensor.dims[d], scale);
      if (x + width > row.right() - 3) {  // no room for its name: as much as there is
        width = row.right() - 3 - x;
        if (width < 16) break;
      }
      boxes.push_back({{x, row.center().y() - height / 2, width, height}, node.rows[r], static_cast<int>(d)});
      x += width + chipGap * scale;
    }
  }
  return boxes;
}

void paintRow(QPainter& painter, const Look& look, const SceneNode& node, std::size_t row, const QRectF& nodeRect) {
  const Theme& t = theme();
  QRectF rect = rowRect(nodeRect, row, look.view.zoom);
  int id = node.rows[row];
  const SceneTensor& tensor = look.scene.tensors[static_cast<std::size_t>(id)];
  bool selected = look.selectedTensors[static_cast<std::size_t>(id)];
  bool hovered = look.hover == SceneRef{SceneRef::Kind::tensor, id};
  if (selected || hovered)
    painter.fillRect(rect.adjusted(1.5, 0, -1.5, 0), mix(t.surface, t.accent, selected ? 0.22 : 0.1));
  if (look.view.zoom < chipZoom) return paintBars(painter, look, tensor, rect);
  const double scale = scaleOf(look.view.zoom);
  QPointF mark(rect.left() + 10 * scale, rect.center().y());
  painter.setPen(cosmetic(t.muted, 1.2));
  painter.setBrush(tensor.kind == core::TensorKind::value ? QBrush(Qt::NoBrush) : QBrush(t.muted));
  double s = 3.2 * scale;
  if (tensor.kind == core::TensorKind::state || tensor.kind == core::TensorKind::constant)
    painter.drawRect(QRectF(mark.x() - s, mark.y() - s, 2 * s, 2 * s));  // what is stored
  else
    painter.drawPolygon(QPolygonF(
        {{mark.x() - s, mark.y() - s}, {mark.x() + s, mark.y() - s}, {mark.x(), mark.y() + s}}));  // what flows on
  painter.setFont(sized(look.font, chipPixels(look.view.zoom)));
  if (!tensor.partial.empty()) {  // dashed, with a sigma: every device holds a part of the sum
    painter.setBrush(Qt::NoBrush);
    painter.setPen(cosmetic(t.warning, 1.3, Qt::DashLine));
    painter.drawRoundedRect(rect.adjusted(3, 1, -3, -1), 4, 4);
    writeText(painter, QRectF(rect.left() + 3 * scale, rect.top(), 14 * scale, rect.height()), QStringLiteral("\u03A3"),
              t.warning, Qt::AlignCenter);
  }
  if (tensor.dims.empty()) writeText(painter, rect.adjusted(20 * scale, 0, 0, 0), QStringLiteral("scalar"), t.muted);
}

// Chips of all rows at once: their places need the same measuring.
static void paintChips(QPainter& painter, const Look& look, const SceneNode& node, const QRectF& rect) {
  painter.setFont(sized(look.font, chipPixels(look.view.zoom)));
  for (const ChipBox& box : chipBoxes(look.scene, node, rect, look.view.zoom, look.font)) {
    painter.save();
    painter.setClipRect(box.rect.adjusted(-3, -3, 3, 3), Qt::IntersectClip);
    paintDimension(painter, look, box);
    painter.restore();
  }
}

void paintLeaf(QPainter& painter, const Look& look, int index) {
  const Theme& t = theme();
  const PictureNode& drawn = look.picture.nodes[static_cast<std::size_t>(index)];
  const SceneNode& node = look.scene.nodes[static_cast<std::size_t>(drawn.node)];
  QRectF rect = look.rect(index);
  bool selected = look.selectedNodes[static_cast<std::size_t>(drawn.node)],
       hovered = look.hover == node.ref() && node.kind == SceneNodeKind::op;
  bool end = node.kind == SceneNodeKind::input || node.kind == SceneNodeKind::output;
  QColor fill = nodeFill(look, node);
  if (look.detail == Detail::overview) {
    painter.fillRect(rect, selected                        ? t.accent
                           : look.overlay == Overlay::none ? mix(t.ground, t.strong, end ? 0.35 : 0.6)
                                                           : fill);
    return;
  }
  double radius = end ? std::min(rect.height(), 30.0) / 2 : std::min(6.0, rect.height() / 4);
  painter.setBrush(fill);
  QColor outline = selected ? t.accent : hovered ? t.text : node.opaque ? t.warning : t.strong;
  painter.setPen(cosmetic(outline, selected ? 2.5 : hovered ? 1.6 : 1, node.opaque ? Qt::DashLine : Qt::SolidLine));
  painter.drawRoundedRect(rect, radius, radius);
  double zoom = look.view.zoom;
  if (look.detail == Detail::map) {
    if (rect.height() < 11 || rect.width() < 30) return;
    painter.setFont(sized(look.font, std::clamp(rect.height() * 0.55, 9.0, 12.0)));
    return writeText(painter, rect.adjusted(4, 0, -3, 0), node.title, textOn(fill), Qt::AlignCenter);
  }
  QRectF header(rect.left() + 9 * std::min(1.0, zoom), rect.top(), rect.width() - 16 * std::min(1.0, zoom),
                (headerHeight + 2) * zoom);
  if (node.rows.empty()) header.setHeight(rect.height());
  painter.setFont(sized(look.font, std::clamp(13 * zoom, 11.0, 16.0), true));
  double titleWidth = QFontMetricsF(painter.font()).horizontalAdvance(node.title);
  writeText(painter, header, node.title, textOn(fill));
  QString side = node.subtitle == node.title ? QString() : node.subtitle;
  if (QString figure = overlayText(node, look.overlay); !figure.isEmpty())
    side = figure;
  else if (look.detail == Detail::full)
    side = QStringList({side, overlayText(node, Overlay::memory), overlayText(node, Overlay::compute)})
               .join(QStringLiteral("  "))
               .simplified();
  painter.setFont(sized(look.font, std::clamp(leastTextPixels * zoom, 11.0, 14.0)));
  if (header.width() - titleWidth > 34)
    writeText(painter, header.adjusted(titleWidth + 10, 0, 0, 0), side, mix(textOn(fill), fill, 0.32),
              Qt::AlignRight | Qt::AlignVCenter);
  if (look.stale) painter.setOpacity(0.55);
  for (std::size_t row = 0; row < node.rows.size(); ++row) paintRow(painter, look, node, row, rect);
  if (zoom >= chipZoom) paintChips(painter, look, node, rect);
  painter.setOpacity(1);
  paintProblem(painter, node, rect);
}

}  // namespace ui
