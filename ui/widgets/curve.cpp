#include "ui/widgets/curve.h"

#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/theme/theme.h"
#include "ui/widgets/paint_tools.h"
#include "ui/widgets/ticks.h"

namespace ui {

namespace {

QColor toneOf(const CurveSeries& series) {
  return series.tone == 0 ? theme().accent : theme().axis(series.tone - 1);
}
QString number(double value) {
  return QLocale().toString(value, 'g', 4);
}

const CurveSeries* longest(const CurveData& data) {
  auto most = std::max_element(data.series.begin(), data.series.end(),
                               [](const auto& a, const auto& b) { return a.points.size() < b.points.size(); });
  return most == data.series.end() || most->points.empty() ? nullptr : &*most;
}

}  // namespace

Curve::Curve(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("curve"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAccessibleName(tr("Curve"));
}

void Curve::setData(CurveData data) {
  data_ = std::move(data);
  reading_ = -1;
  setAccessibleName(tr("%1 by %2").arg(data_.yLabel, data_.xLabel));
  update();
}

void Curve::append(std::size_t series, QPointF point) {
  if (series >= data_.series.size()) return;
  data_.series[series].points.push_back(point);
  setAccessibleDescription(tr("%1 %2: %3").arg(data_.xLabel, number(point.x()), number(point.y())));
  update();
}

QRectF Curve::plotRect() const {
  return QRectF(rect()).adjusted(62, 14, -16, -34);
}

double Curve::yValue(double y) const {
  return data_.logarithmic ? std::log10(std::max(y, 1e-30)) : y;
}

Curve::Range Curve::xRange() const {
  Range range{1e300, -1e300};
  for (const CurveSeries& s : data_.series)
    if (!s.points.empty())
      range = {std::min(range.low, s.points.front().x()), std::max(range.high, s.points.back().x())};
  if (range.low > range.high) return {};
  if (range.low == range.high) range.high = range.low + 1;
  return range;
}

Curve::Range Curve::yRange() const {
  Range range{1e300, -1e300};
  for (const CurveSeries& s : data_.series)
    for (QPointF p : s.points)
      if (std::isfinite(p.y())) range = {std::min(range.low, yValue(p.y())), std::max(range.high, yValue(p.y()))};
  if (range.low > range.high) return {};
  double room = range.high > range.low ? 0.06 * (range.high - range.low) : std::max(0.5, std::abs(range.high) * 0.1);
  return {range.low - room, range.high + room};
}

QPointF Curve::toScreen(QPointF p, const QRectF& plot, Range x, Range y) const {
  return {plot.left() + (p.x() - x.low) / (x.high - x.low) * plot.width(),
          plot.bottom() - (yValue(p.y()) - y.low) / (y.high - y.low) * plot.height()};
}

void Curve::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  QRectF plot = plotRect();
  painter.fillRect(plot, theme().surface);
  if (!longest(data_)) {
    painter.setPen(theme().muted);
    painter.drawText(rect(), Qt::AlignCenter, tr("No steps yet"));
    return;
  }
  Range x = xRange(), y = yRange();
  paintAxes(painter, plot, x, y);
  painter.save();
  painter.setClipRect(plot.adjusted(-1, -1, 1, 1));
  for (const CurveSeries& series : data_.series) paintSeries(painter, series, plot, x, y);
  painter.restore();
  paintReading(painter, plot, x, y);
  if (hasFocus()) paintFocusRing(painter, QRectF(rect()));
}

void Curve::paintAxes(QPainter& painter, const QRectF& plot, Range x, Range y) const {
  const Theme& t = theme();
  painter.setFont(sized(font(), leastTextPixels));
  for (double value : ticks(y.low, y.high, std::max(2, static_cast<int>(plot.height() / 40)))) {
    double py = plot.bottom() - (value - y.low) / (y.high - y.low) * plot.height();
    painter.setPen(cosmetic(t.border));
    painter.drawLine(QPointF(plot.left(), py), QPointF(plot.right(), py));
    painter.setPen(t.muted);
    painter.drawText(QRectF(0, py - 9, plot.left() - 6, 18), Qt::AlignRight | Qt::AlignVCenter,
                     number(data_.logarithmic ? std::pow(10, value) : value));
  }
  for (double value : ticks(x.low, x.high, std::max(2, static_cast<int>(plot.width() / 90)))) {
    double px = plot.left() + (value - x.low) / (x.high - x.low) * plot.width();
    painter.setPen(t.muted);
    painter.drawText(QRectF(px - 40, plot.bottom() + 3, 80, 16), Qt::AlignCenter, number(value));
  }
  painter.setPen(cosmetic(t.strong));
  painter.drawLine(plot.bottomLeft(), plot.bottomRight());
  painter.setPen(t.muted);
  painter.drawText(QRectF(plot.left(), height() - 17, plot.width(), 16), Qt::AlignRight, data_.xLabel);
  painter.drawText(QRectF(plot.left() + 8, plot.top() + 3, plot.width(), 16), Qt::AlignLeft, data_.yLabel);
}

void Curve::paintSeries(QPainter& painter, const CurveSeries& series, const QRectF& plot, Range x, Range y) const {
  QPolygonF line;
  line.reserve(static_cast<int>(series.points.size()));
  // More points than pixels: the first, least, most and last of each pixel column look the same.
  std::size_t stride =
      std::max<std::size_t>(1, series.points.size() / static_cast<std::size_t>(std::max(1.0, plot.width() * 4)));
  for (std::size_t i = 0; i < series.points.size(); i += stride)
    if (std::isfinite(series.points[i].y())) line << toScreen(series.points[i], plot, x, y);
  if (!series.points.empty() && std::isfinite(series.points.back().y()))
    line << toScreen(series.points.back(), plot, x, y);
  painter.setPen(cosmetic(toneOf(series), 2, series.dashed ? Qt::DashLine : Qt::SolidLine));
  painter.setBrush(Qt::NoBrush);
  painter.drawPolyline(line);
  if (line.size() && !series.dashed) {
    painter.setBrush(toneOf(series));
    painter.drawEllipse(line.back(), 3, 3);
  }
}

void Curve::paintReading(QPainter& painter, const QRectF& plot, Range x, Range y) const {
  const CurveSeries* main = longest(data_);
  const Theme& t = theme();
  QStringList lines;
  double at = reading_ >= 0 && reading_ < static_cast<int>(main->points.size())
                  ? main->points[static_cast<std::size_t>(reading_)].x()
                  : main->points.back().x();
  for (const CurveSeries& series : data_.series) {
    auto point =
        std::lower_bound(series.points.begin(), series.points.end(), at, [](QPointF p, double v) { return p.x() < v; });
    if (point == series.points.end()) continue;
    lines += (series.name.isEmpty() ? data_.yLabel : series.name) + QLatin1Char(' ') + number(point->y());
    if (reading_ >= 0) {
      painter.setPen(cosmetic(t.surface, 1.5));
      painter.setBrush(toneOf(series));
      painter.drawEllipse(toScreen(*point, plot, x, y), 4.5, 4.5);
    }
  }
  painter.setFont(sized(font(), leastTextPixels, true));
  painter.setPen(t.text);
  QString text = QStringLiteral("%1 %2   ").arg(data_.xLabel, number(at)) + lines.join(QStringLiteral("   "));
  painter.drawText(QRectF(plot.left(), plot.top() + 3, plot.width() - 8, 18), Qt::AlignRight, text);
}

void Curve::read(int point) {
  const CurveSeries* main = longest(data_);
  if (!main) return;
  reading_ = std::clamp(point, 0, static_cast<int>(main->points.size()) - 1);
  QPointF p = main->points[static_cast<std::size_t>(reading_)];
  setAccessibleDescription(tr("%1 %2: %3").arg(data_.xLabel, number(p.x()), number(p.y())));
  emit pointHovered(p.x());
  update();
}

void Curve::mouseMoveEvent(QMouseEvent* event) {
  const CurveSeries* main = longest(data_);
  if (!main) return;
  Range x = xRange();
  double at = x.low + (event->position().x() - plotRect().left()) / plotRect().width() * (x.high - x.low);
  auto next =
      std::lower_bound(main->points.begin(), main->points.end(), at, [](QPointF p, double v) { return p.x() < v; });
  if (next != main->points.begin() && (next == main->points.end() || at - std::prev(next)->x() < next->x() - at))
    --next;
  read(static_cast<int>(next - main->points.begin()));
}

void Curve::leaveEvent(QEvent*) {
  reading_ = -1;
  update();
}

void Curve::keyPressEvent(QKeyEvent* event) {
  const CurveSeries* main = longest(data_);
  int last = main ? static_cast<int>(main->points.size()) - 1 : 0;
  int from = reading_ < 0 ? last + 1 : reading_;
  switch (event->key()) {
    case Qt::Key_Left:
      return read(from - 1);
    case Qt::Key_Right:
      return read(from + 1);
    case Qt::Key_Home:
      return read(0);
    case Qt::Key_End:
      return read(last);
    default:
      QWidget::keyPressEvent(event);
  }
}

}  // namespace ui
