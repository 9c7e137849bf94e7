#include <QLineF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/canvas/look.h"
#include "ui/canvas/words.h"
#include "ui/theme/hatch.h"
#include "ui/theme/theme.h"
#include "ui/widgets/number_text.h"
#include "ui/widgets/paint_tools.h"

namespace ui {

namespace {

constexpr double longest = 2000;  // pixels: beyond, only both ends are drawn

QPainterPath rounded(const QPolygonF& points, double radius) {
  QPainterPath path(points[0]);
  for (qsizetype i = 1; i + 1 < points.size(); ++i) {
    QPointF before = points[i - 1] - points[i], after = points[i + 1] - points[i];
    double a = std::hypot(before.x(), before.y()), b = std::hypot(after.x(), after.y());
    if (a < 0.5 || b < 0.5) continue;
    double r = std::min({radius, a / 2, b / 2});
    path.lineTo(points[i] + before / a * r);
    path.quadTo(points[i], points[i] + after / b * r);
  }
  path.lineTo(points.back());
  return path;
}

void paintArrow(QPainter& painter, const QPolygonF& points, double size, const QColor& colour) {
  QPointF tip = points.back(), from = points[points.size() - 2];
  double length = std::hypot(tip.x() - from.x(), tip.y() - from.y());
  if (length < 1) return;
  QPointF along = (tip - from) / length, across(-along.y(), along.x());
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  painter.drawPolygon(
      QPolygonF({tip, tip - along * size + across * size * 0.5, tip - along * size - across * size * 0.5}));
}

double lengthOf(const QPolygonF& points) {
  double length = 0;
  for (qsizetype i = 1; i < points.size(); ++i) length += QLineF(points[i - 1], points[i]).length();
  return length;
}

// Three steps by what moves along it.
double widthOf(qint64 bytes) {
  return bytes > (qint64{64} << 20) ? 2.8 : bytes > (qint64{1} << 20) ? 2.0 : 1.3;
}

class EdgePainter {
 public:
  EdgePainter(QPainter& painter, const Look& look) : painter_(painter), look_(look) {}

  void run() {
    const Picture& picture = look_.picture;
    QRectF window = look_.view.toScene(QRectF(QPointF(-8, -8), look_.widget + QSizeF(16, 16)));
    std::vector<int> lit;
    bool fine = look_.detail >= Detail::standard;
    for (int e : picture.edgeGrid.touching(window)) {
      const PictureEdge& edge = picture.edges[static_cast<std::size_t>(e)];
      if (edge.pointCount < 2) continue;
      if (isLit(edge))
        lit.push_back(e);
      else if (fine)
        paint(edge, false);
      else
        batch(edge);
    }
    if (!lines_.empty()) {
      painter_.setRenderHint(QPainter::Antialiasing, false);
      painter_.setPen(cosmetic(mix(theme().ground, theme().strong, look_.detail == Detail::overview ? 0.45 : 0.7)));
      painter_.drawLines(lines_.data(), static_cast<int>(lines_.size()));
      painter_.setRenderHint(QPainter::Antialiasing, true);
    }
    for (int e : lit) paint(picture.edges[static_cast<std::size_t>(e)], true);
  }

 private:
  bool isLit(const PictureEdge& edge) const {
    if (look_.selectedTensors[static_cast<std::size_t>(edge.tensor)] ||
        look_.hover == SceneRef{SceneRef::Kind::tensor, edge.tensor})
      return true;
    auto selected = [&](int n) {
      return n >= 0 && !look_.picture.nodes[static_cast<std::size_t>(n)].open &&
             look_.selectedNodes[static_cast<std::size_t>(look_.picture.nodes[static_cast<std::size_t>(n)].node)];
    };
    return selected(edge.from) || selected(edge.to);
  }

  QPolygonF onScreen(const PictureEdge& edge) const {
    QPolygonF points;
    points.reserve(edge.pointCount);
    for (int i = 0; i < edge.pointCount; ++i)
      points << look_.view.toScreen(look_.picture.points[static_cast<std::size_t>(edge.firstPoint + i)]);
    return points;
  }

  // Far away: straight lines, all in one call, and none of those that a pixel or two would be.
  void batch(const PictureEdge& edge) {
    QPointF before = look_.view.toScreen(look_.picture.points[static_cast<std::size_t>(edge.firstPoint)]);
    for (int i = 1; i < edge.pointCount; ++i) {
      QPointF next = look_.view.toScreen(look_.picture.points[static_cast<std::size_t>(edge.firstPoint + i)]);
      if (std::abs(next.x() - before.x()) + std::abs(next.y() - before.y()) >=
          (look_.detail == Detail::overview ? 4 : 1.5))
        lines_.push_back({before, next});
      before = next;
    }
  }

  void paint(const PictureEdge& edge, bool lit) {
    const Theme& t = theme();
    QPolygonF points = onScreen(edge);
    QColor colour = lit ? t.accent : mix(t.ground, t.strong, 0.95);
    double width = widthOf(look_.scene.tensors[static_cast<std::size_t>(edge.tensor)].bytes) + (lit ? 0.8 : 0);
    painter_.setBrush(Qt::NoBrush);
    painter_.setPen(cosmetic(colour, width, edge.back ? Qt::DashLine : Qt::SolidLine));
    if (!lit && lengthOf(points) > longest) return paintStubs(points, edge, colour, width);
    painter_.drawPath(rounded(points, 8 * std::min(1.0, look_.view.zoom)));
    if (edge.to >= 0) paintArrow(painter_, points, std::clamp(8 * look_.view.zoom, 4.0, 9.0), colour);
    bool said = std::find(labelled_.begin(), labelled_.end(), edge.tensor) != labelled_.end();
    if (edge.back && look_.view.zoom > 0.55 && points.size() >= 4 && !said) label(points, edge);
  }

  // The times that a carried value goes round.
  void label(const QPolygonF& points, const PictureEdge& edge) {
    labelled_.push_back(edge.tensor);
    int container = edge.container >= 0 ? look_.picture.nodes[static_cast<std::size_t>(edge.container)].node : 0;
    const SceneNode& stack = look_.scene.nodes[static_cast<std::size_t>(container)];
    QPointF middle = (points[1] + points[2]) / 2;
    if (points.size() > 4) middle = (points[2] + points[3]) / 2;
    painter_.setFont(sized(look_.font, leastTextPixels));
    writeText(painter_, QRectF(middle.x() - 44, middle.y() - 9, 40, 18),
              QStringLiteral("\u00D7%1").arg(stack.multiplicity - 1), theme().muted, Qt::AlignRight | Qt::AlignVCenter);
  }

  void paintStubs(const QPolygonF& points, const PictureEdge& edge, const QColor& colour, double width) {
    constexpr double stub = 46;
    auto cut = [&](QPointF from, QPointF towards) {
      double length = QLineF(from, towards).length();
      return length < 1 ? from : from + (towards - from) / length * std::min(stub, length);
    };
    painter_.setPen(cosmetic(colour, width));
    painter_.drawLine(points[0], cut(points[0], points[1]));
    painter_.drawLine(points.back(), cut(points.back(), points[points.size() - 2]));
    paintArrow(painter_, points, std::clamp(8 * look_.view.zoom, 4.0, 9.0), colour);
    painter_.setFont(sized(look_.font, leastTextPixels));
    const QString& name = look_.scene.tensors[static_cast<std::size_t>(edge.tensor)].name;
    writeText(painter_, QRectF(points.back() + QPointF(5, -stub - 8), QSizeF(160, 16)),
              QStringLiteral("\u2190 ") + name, theme().muted);
  }

  QPainter& painter_;
  const Look& look_;
  std::vector<QLineF> lines_;
  std::vector<int> labelled_;  // carried values whose count stands there already
};

// Each kind of collective has an outline of its own: all-gather a fan, reduce-scatter a funnel, all-reduce round,
// all-to-all a cross-cut hexagon, permute an arrow.
QPainterPath outlineOf(core::CollectiveKind kind, const QRectF& r) {
  QPainterPath path;
  double h = r.height(), d = h * 0.32;
  switch (kind) {
    case core::CollectiveKind::allGather:
      path.addPolygon(QPolygonF(
          {{r.left() + d, r.top()}, {r.right() - d, r.top()}, {r.right(), r.bottom()}, {r.left(), r.bottom()}}));
      break;
    case core::CollectiveKind::reduceScatter:
      path.addPolygon(QPolygonF(
          {{r.left(), r.top()}, {r.right(), r.top()}, {r.right() - d, r.bottom()}, {r.left() + d, r.bottom()}}));
      break;
    case core::CollectiveKind::allToAll:
    case core::CollectiveKind::redistribute:
      path.addPolygon(QPolygonF({{r.left() + d, r.top()},
                                 {r.right() - d, r.top()},
                                 {r.right(), r.center().y()},
                                 {r.right() - d, r.bottom()},
                                 {r.left() + d, r.bottom()},
                                 {r.left(), r.center().y()}}));
      break;
    case core::CollectiveKind::collectivePermute:
      path.addPolygon(QPolygonF({{r.left(), r.top()},
                                 {r.right() - h / 2, r.top()},
                                 {r.right(), r.center().y()},
                                 {r.right() - h / 2, r.bottom()},
                                 {r.left(), r.bottom()}}));
      break;
    case core::CollectiveKind::allReduce:
    case core::CollectiveKind::broadcast:
      path.addRoundedRect(r, h / 2, h / 2);
      break;
  }
  path.closeSubpath();
  return path;
}

void paintPill(QPainter& painter, const Look& look, int index, const PlacedPill& placed) {
  const Theme& t = theme();
  const ScenePill& pill = look.scene.pills[static_cast<std::size_t>(index)];
  const QRectF& rect = placed.rect;
  QColor hue = pill.axes.empty() ? t.axisNone : t.axis(pill.axes[0]);
  bool selected = look.selectedPill == index, hovered = look.hover == SceneRef{SceneRef::Kind::collective, index};
  QPainterPath outline = outlineOf(pill.kind, rect);
  painter.setPen(cosmetic(selected ? t.accent : hovered ? t.text : t.surface, selected ? 3 : 1.4));
  painter.setBrush(hue);
  painter.drawPath(outline);
  if (placed.text.isEmpty()) return;
  painter.save();
  painter.setClipPath(outline, Qt::IntersectClip);
  double x = rect.left() + rect.height() * 0.25;
  for (core::AxisId axis : pill.axes) {
    QColor own = t.axis(axis);
    painter.fillRect(QRectF(x, rect.bottom() - 4, rect.width(), 4), own);
    painter.fillRect(QRectF(x, rect.bottom() - 4, rect.width(), 4), axisHatch(axis, mix(own, textOn(own), 0.6)));
    x += rect.width() / static_cast<double>(pill.axes.size());
  }
  painter.restore();
  painter.setFont(sized(look.font, 11, true));
  writeText(painter, rect.adjusted(0, -1, 0, -2), placed.text, textOn(hue), Qt::AlignCenter);
}

}  // namespace

QString pillText(const Scene& scene, const ScenePill& pill, Detail detail) {
  QString letters = collectiveLetters(pill.kind);
  if (pill.gradient) letters.prepend(QChar(0x2207));  // of the gradient
  if (detail == Detail::overview) return letters;
  QString text = letters + QLatin1Char(' ') + axisNames(scene, pill.axes);
  if (detail < Detail::standard) return text;
  text += QLatin1Char(' ') + bytesText(pill.bytes);
  if (pill.count > 1) text += QStringLiteral(" \u00D7%1").arg(pill.count);
  if (detail == Detail::full && pill.seconds) text += QLatin1Char(' ') + secondsText(*pill.seconds);
  return text;
}

void paintEdges(QPainter& painter, const Look& look) {
  EdgePainter(painter, look).run();
}

void paintPills(QPainter& painter, const Look& look) {
  QRectF window(QPointF(0, 0), look.widget);
  for (std::size_t p = 0; p < look.pills.size(); ++p)
    if (!look.pills[p].rect.isEmpty() && window.intersects(look.pills[p].rect.adjusted(-4, -4, 4, 4)))
      paintPill(painter, look, look.picture.pills[p].pill, look.pills[p]);
}

}  // namespace ui
