#include "ui/widgets/timeline_paint.h"

#include <QImage>
#include <QPainter>
#include <QtMath>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/theme/hatch.h"
#include "ui/theme/theme.h"
#include "ui/widgets/number_text.h"
#include "ui/widgets/paint_tools.h"
#include "ui/widgets/ticks.h"
#include "ui/widgets/timeline.h"

namespace ui {

namespace {

QColor fillOf(TimelineLane::Kind kind, int axis) {
  const Theme& t = theme();
  switch (kind) {
    case TimelineLane::Kind::compute:
      return t.dark ? mix(t.surface, t.text, 0.55) : mix(t.surface, t.text, 0.62);
    case TimelineLane::Kind::communication:
      return t.axis(axis);
    case TimelineLane::Kind::waiting:
      return t.sunken;
  }
  return t.muted;
}

void paintSlice(QPainter& painter, const TimelinePicture& p, const TimelineLane& lane, const TimelineColumn& column,
                const QRectF& area) {
  const Theme& t = theme();
  QRectF box(area.left() + column.left, area.top(), column.width, area.height());
  auto i = static_cast<std::size_t>(column.slice);
  bool marked = p.highlighted >= 0 && lane.label[i] == p.highlighted;
  QColor fill = fillOf(lane.kind, column.axis);
  if (p.highlighted >= 0 && !marked) fill = mix(fill, t.surface, 0.65);
  if (box.width() > 4) box.setWidth(box.width() - 1);
  painter.fillRect(box, fill);
  if (lane.kind == TimelineLane::Kind::waiting) painter.fillRect(box, QBrush(t.strong, Qt::BDiagPattern));
  if (marked && box.width() >= 3) {
    painter.setPen(cosmetic(t.text, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
  }
  if (box.width() < 40 || lane.kind == TimelineLane::Kind::waiting) return;
  QRectF seen = box.intersected(area);
  const QString name =
      lane.label[i] >= 0 && lane.label[i] < p.data.labels.size() ? p.data.labels[lane.label[i]] : QString();
  painter.setPen(textOn(fill));
  painter.drawText(seen.adjusted(4, 0, -2, 0), Qt::AlignVCenter | Qt::AlignLeft,
                   painter.fontMetrics().elidedText(name, Qt::ElideMiddle, static_cast<int>(seen.width()) - 6));
}

// Columns of a pixel, as high as they are full: thousands a lane, so written as pixels and not as rectangles.
class DensityImage {
 public:
  explicit DensityImage(QSizeF size)
      : image_(qMax(1, qCeil(size.width())), qMax(1, qFloor(size.height())), QImage::Format_ARGB32_Premultiplied) {
    image_.fill(Qt::transparent);
  }

  void add(const TimelineColumn& column, QRgb colour) {
    int x = static_cast<int>(column.left);
    if (x < 0 || x >= image_.width()) return;
    int filled = qBound(1, qRound(column.share * image_.height()), image_.height());
    for (int y = image_.height() - filled; y < image_.height(); ++y) line(y)[x] = colour;
    any_ = true;
  }
  void paint(QPainter& painter, QPointF at) const {
    if (any_) painter.drawImage(at, image_);
  }

 private:
  QRgb* line(int y) { return reinterpret_cast<QRgb*>(image_.bits() + y * image_.bytesPerLine()); }
  QImage image_;
  bool any_ = false;
};

void paintLane(QPainter& painter, const TimelinePicture& p, const TimelineLane& lane, const QRectF& area) {
  const Theme& t = theme();
  std::array<QRgb, axisHues + 1> fills;  // by axis; the last for none and for those past the hues
  for (int axis = 0; axis <= axisHues; ++axis)
    fills[static_cast<std::size_t>(axis)] =
        (lane.kind == TimelineLane::Kind::waiting ? t.border : fillOf(lane.kind, axis)).rgba();
  DensityImage density(area.size());
  std::vector<TimelineColumn> columns = columnsOf(lane, p.view, area.width());
  for (const TimelineColumn& column : columns)
    if (column.slice < 0)
      density.add(column,
                  fills[column.axis >= 0 && column.axis < axisHues ? static_cast<std::size_t>(column.axis) : axisHues]);
  density.paint(painter, area.topLeft());
  for (const TimelineColumn& column : columns)
    if (column.slice >= 0) paintSlice(painter, p, lane, column, area);
}

// An outline with a light hatch, whatever the hue: so it is told from what was measured without colour.
void paintPredictedBox(QPainter& painter, const QRectF& box, const QColor& ink) {
  QColor light = ink;
  light.setAlphaF(0.45f);
  painter.fillRect(box, QBrush(light, Qt::BDiagPattern));
  painter.setPen(cosmetic(ink));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
}

// One step's prediction, cut where the next step begins: an outline that is open to the right goes on.
void paintPredictedStep(QPainter& painter, const TimelinePicture& p, const TimelineLane& lane, const StepSpan& step,
                        const QRectF& area) {
  const Theme& t = theme();
  TimelineView own = p.view.moved(-step.start);
  painter.save();
  painter.setClipRect(QRectF(p.geometry.x(step.start, p.view), area.top(),
                             (step.end - step.start) / p.view.width() * area.width() + 0.5, area.height()),
                      Qt::IntersectClip);
  for (const TimelineColumn& column : columnsOf(lane, own, area.width(), 3)) {
    if (column.slice >= 0 && own.start + column.left / area.width() * own.width() > step.end - step.start) break;
    QRectF box(area.left() + column.left, area.top(), std::max(1.0, column.width), area.height());
    bool idle = lane.kind == TimelineLane::Kind::waiting;
    QColor ink = idle ? t.strong : fillOf(lane.kind, column.axis);
    if (column.slice >= 0) {
      bool marked = p.highlighted >= 0 && lane.label[static_cast<std::size_t>(column.slice)] == p.highlighted;
      if (p.highlighted >= 0 && !marked) ink = mix(ink, t.surface, 0.65);
      paintPredictedBox(painter, box, marked ? t.text : ink);
    } else {
      painter.fillRect(box.adjusted(0, box.height() * (1 - column.share), 0, 0), mix(ink, t.surface, 0.45));
    }
  }
  painter.restore();
}

void paintPredicted(QPainter& painter, const TimelinePicture& p, const TimelineRow& row, int lane, const QRectF& area) {
  if (static_cast<std::size_t>(lane) >= row.predicted.lanes.size() || !(row.predicted.seconds > 0)) return;
  const TimelineLane& own = row.predicted.lanes[static_cast<std::size_t>(lane)];
  const double share = own.covered(0, row.predicted.seconds) / row.predicted.seconds;
  for (const StepSpan& step : stepsIn(row, p.view, area.width())) {
    double left = p.geometry.x(step.start, p.view), right = p.geometry.x(step.end, p.view);
    painter.setPen(cosmetic(theme().strong));  // how far the predicted step reaches
    painter.drawLine(QPointF(left, area.bottom()), QPointF(right, area.bottom()));
    if (step.count == 1 && right - left >= 4) {
      paintPredictedStep(painter, p, own, step, area);
      continue;
    }
    QColor ink = own.kind == TimelineLane::Kind::waiting ? theme().strong : fillOf(own.kind, -1);
    painter.fillRect(QRectF(left, area.bottom() - area.height() * share, std::max(1.0, right - left), area.height() * share),
                     mix(ink, theme().surface, 0.6));
  }
}

void paintGaps(QPainter& painter, const TimelinePicture& p, const TimelineRow& row, const QRectF& area) {
  for (const TimelineGap& gap : row.gaps) {
    QRectF box(p.geometry.x(gap.start, p.view), area.top(), (gap.end - gap.start) / p.view.width() * area.width(),
               area.height());
    box = box.intersected(area);
    if (box.isEmpty()) continue;
    painter.fillRect(box, QBrush(theme().warning, Qt::DiagCrossPattern));
    QString words = Timeline::tr("%1 lost").arg(gap.lost);
    double width = painter.fontMetrics().horizontalAdvance(words) + 10;
    if (box.width() < width) continue;
    QRectF plate(box.center().x() - width / 2, box.center().y() - 8, width, 16);
    painter.fillRect(plate, theme().warning);
    painter.setPen(textOn(theme().warning));
    painter.drawText(plate, Qt::AlignCenter, words);
  }
}

void paintRow(QPainter& painter, const TimelinePicture& p, int r) {
  const Theme& t = theme();
  const TimelineRow& row = p.data.rows[static_cast<std::size_t>(r)];
  QRectF first = p.geometry.laneRect(p.data, r, 0);
  double height = p.geometry.rowHeight(row) - p.geometry.rowGap;
  QRectF whole(first.left(), first.top(), first.width(), height);
  if (whole.bottom() < p.geometry.plot.top() || whole.top() > p.geometry.plot.bottom()) return;
  painter.fillRect(whole.adjusted(0, -1, 0, 0), mix(t.surface, t.raised, 0.45));
  for (int lane = 0; lane < static_cast<int>(row.lanes.size()); ++lane) {
    QRectF area = p.geometry.laneRect(p.data, r, lane);
    paintLane(painter, p, row.lanes[static_cast<std::size_t>(lane)], area);
    if (p.geometry.predicted) paintPredicted(painter, p, row, lane, p.geometry.predictedRect(p.data, r, lane));
  }
  paintGaps(painter, p, row, whole);
}

void paintNames(QPainter& painter, const TimelinePicture& p) {
  const Theme& t = theme();
  painter.save();
  painter.setClipRect(p.geometry.names);
  painter.fillRect(p.geometry.names, t.ground);
  for (int r = 0; r < static_cast<int>(p.data.rows.size()); ++r) {
    QRectF first = p.geometry.laneRect(p.data, r, 0);
    double height = p.geometry.rowHeight(p.data.rows[static_cast<std::size_t>(r)]) - p.geometry.rowGap;
    QRectF box(p.geometry.names.left() + 8, first.top(), p.geometry.names.width() - 12, height);
    painter.setPen(p.selected.row == r ? t.accent : t.text);
    const QString& name = p.data.rows[static_cast<std::size_t>(r)].name;
    painter.drawText(box, Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(name, Qt::ElideRight, static_cast<int>(box.width())));
  }
  painter.restore();
}

void paintRuler(QPainter& painter, const TimelinePicture& p) {
  const Theme& t = theme();
  const QRectF& ruler = p.geometry.ruler;
  painter.setPen(cosmetic(t.border));
  painter.drawLine(ruler.bottomLeft(), ruler.bottomRight());
  for (double time : ticks(p.view.start, p.view.end, std::max(2, static_cast<int>(ruler.width() / 110)))) {
    double x = p.geometry.x(time, p.view);
    painter.setPen(cosmetic(mix(t.surface, t.border, 0.7)));
    painter.drawLine(QPointF(x, ruler.bottom()), QPointF(x, p.geometry.plot.bottom()));
    painter.setPen(t.muted);
    painter.drawText(QRectF(x + 3, ruler.top(), 120, ruler.height()), Qt::AlignLeft | Qt::AlignVCenter,
                     secondsText(time));
  }
}

void paintOverview(QPainter& painter, const TimelinePicture& p) {
  const Theme& t = theme();
  QRectF strip = p.geometry.overview;
  painter.fillRect(strip, t.sunken);
  TimelineView all{p.data.start(), std::max(p.data.end(), p.data.start() + 1e-9)};
  const int columns = std::max(1, static_cast<int>(strip.width() / 2));
  // Share of the ranks' time that is computing, and below it communicating; of many ranks some stand for all.
  std::vector<double> compute(static_cast<std::size_t>(columns), 0), talk = compute;
  std::size_t stride = std::max<std::size_t>(1, p.data.rows.size() / 16);
  int sampled = 0;
  for (std::size_t r = 0; r < p.data.rows.size(); r += stride, ++sampled)
    for (const TimelineLane& lane : p.data.rows[r].lanes) {
      if (lane.kind == TimelineLane::Kind::waiting) continue;
      TimelineCursor cursor(lane);
      double before = 0;
      for (int c = 0; c < columns; ++c) {
        double now = cursor.covered(all.start + all.width() * (c + 1) / columns);
        (lane.kind == TimelineLane::Kind::compute ? compute : talk)[static_cast<std::size_t>(c)] += now - before;
        before = now;
      }
    }
  double scale = strip.height() / 2 / (all.width() / columns * std::max(1, sampled));
  const QColor ink = fillOf(TimelineLane::Kind::compute, -1);
  for (int c = 0; c < columns; ++c) {
    QRectF column(strip.left() + 2 * c, strip.center().y(), 2, 0);
    painter.fillRect(column.adjusted(0, -compute[static_cast<std::size_t>(c)] * scale, 0, 0), ink);
    painter.fillRect(column.adjusted(0, 0, 0, talk[static_cast<std::size_t>(c)] * scale), t.accent);
  }
  auto x = [&](double time) {
    return strip.left() + std::clamp((time - all.start) / all.width(), 0.0, 1.0) * strip.width();
  };
  QRectF window(x(p.view.start), strip.top(), std::max(3.0, x(p.view.end) - x(p.view.start)), strip.height());
  QColor shade = t.ground;
  shade.setAlphaF(0.6f);
  painter.fillRect(QRectF(strip.topLeft(), QPointF(window.left(), strip.bottom())), shade);
  painter.fillRect(QRectF(QPointF(window.right(), strip.top()), strip.bottomRight()), shade);
  painter.setPen(cosmetic(t.accent, 1.5));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(window.adjusted(0.5, 0.5, -0.5, -0.5));
}

// A collective is one thing on many ranks: lines between the ends of its slices nearest to the selected one.
void paintFan(QPainter& painter, const TimelinePicture& p) {
  if (!p.selected.valid()) return;
  const TimelineLane& own =
      p.data.rows[static_cast<std::size_t>(p.selected.row)].lanes[static_cast<std::size_t>(p.selected.lane)];
  TimelineSlice slice = own[static_cast<std::size_t>(p.selected.slice)];
  QPointF last;
  bool any = false;
  painter.setPen(cosmetic(theme().text, 1.2));
  for (int r = 0; r < static_cast<int>(p.data.rows.size()); ++r) {
    const TimelineRow& row = p.data.rows[static_cast<std::size_t>(r)];
    if (static_cast<std::size_t>(p.selected.lane) >= row.lanes.size()) continue;
    const TimelineLane& lane = row.lanes[static_cast<std::size_t>(p.selected.lane)];
    std::size_t near = lane.firstAfter(slice.start), best = lane.size();
    for (std::size_t i = near > 32 ? near - 32 : 0; i < std::min(lane.size(), near + 32); ++i)
      if (lane.label[i] == slice.label &&
          (best == lane.size() || std::abs(lane.start[i] - slice.start) < std::abs(lane.start[best] - slice.start)))
        best = i;
    if (best == lane.size()) continue;
    QRectF area = p.geometry.laneRect(p.data, r, p.selected.lane);
    QPointF at(p.geometry.x(lane.end[best], p.view), area.center().y());
    if (any) painter.drawLine(last, at);
    last = at;
    any = true;
  }
}

void paintMarks(QPainter& painter, const TimelinePicture& p) {
  const Theme& t = theme();
  const QRectF& plot = p.geometry.plot;
  for (double mark : p.marks) {
    double x = p.geometry.x(mark, p.view);
    painter.setPen(cosmetic(t.warning, 1.5));
    painter.drawLine(QPointF(x, p.geometry.ruler.top() + 4), QPointF(x, plot.bottom()));
    painter.setBrush(t.warning);
    painter.drawPolygon(QPolygonF(
        {{x, p.geometry.ruler.top() + 2}, {x + 8, p.geometry.ruler.top() + 6}, {x, p.geometry.ruler.top() + 10}}));
  }
  if (!p.hasRange) return;
  double a = p.geometry.x(std::min(p.rangeStart, p.rangeEnd), p.view),
         b = p.geometry.x(std::max(p.rangeStart, p.rangeEnd), p.view);
  QColor shade = t.accent;
  shade.setAlphaF(0.14f);
  QRectF range(a, p.geometry.ruler.top(), b - a, plot.bottom() - p.geometry.ruler.top());
  painter.fillRect(range, shade);
  painter.setPen(cosmetic(t.accent));
  painter.drawLine(range.topLeft(), range.bottomLeft());
  painter.drawLine(range.topRight(), range.bottomRight());
  QString text = secondsText(std::abs(p.rangeEnd - p.rangeStart));
  QRectF tag(range.center().x() - 44, p.geometry.ruler.top() + 2, 88, p.geometry.ruler.height() - 4);
  painter.setPen(Qt::NoPen);
  painter.setBrush(t.accent);
  painter.drawRoundedRect(tag, 3, 3);
  painter.setPen(t.onAccent);
  painter.drawText(tag, Qt::AlignCenter, text);
}

}  // namespace

void paintTimeline(QPainter& painter, const TimelinePicture& p, const QFont& font) {
  painter.setFont(sized(font, leastTextPixels));
  paintOverview(painter, p);
  paintRuler(painter, p);
  painter.save();
  painter.setClipRect(p.geometry.plot);
  painter.setFont(sized(font, 10));
  for (int r = 0; r < static_cast<int>(p.data.rows.size()); ++r) paintRow(painter, p, r);
  painter.setRenderHint(QPainter::Antialiasing);
  paintFan(painter, p);
  painter.restore();
  painter.setFont(sized(font, leastTextPixels));
  paintNames(painter, p);
  painter.setRenderHint(QPainter::Antialiasing);
  paintMarks(painter, p);
}

void paintTimelineCorner(QPainter& painter, const TimelineGeometry& g, const QString& state, bool following,
                         const QFont& font) {
  QRectF corner(0, 0, g.overview.left(), g.ruler.bottom());
  painter.fillRect(corner, theme().ground);
  painter.setFont(sized(font, leastTextPixels));
  painter.setPen(theme().muted);
  painter.drawText(QRectF(8, g.overview.top(), corner.width() - 12, g.overview.height()),
                   Qt::AlignVCenter | Qt::AlignLeft, Timeline::tr("All ranks"));
  painter.setFont(sized(font, leastTextPixels, true));
  painter.setPen(following ? theme().good : theme().warning);
  painter.drawText(QRectF(8, g.ruler.top(), corner.width() - 8, g.ruler.height()), Qt::AlignVCenter | Qt::AlignLeft,
                   state);
}

}  // namespace ui
