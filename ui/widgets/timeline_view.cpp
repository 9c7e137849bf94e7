#include "ui/widgets/timeline_view.h"

#include <algorithm>
#include <cmath>

namespace ui {

TimelineView TimelineView::zoomed(double factor, double at) const {
  double w = std::clamp(width() / factor, 1e-9, 1e7);
  double share = width() > 0 ? (at - start) / width() : 0.5;
  return {at - share * w, at + (1 - share) * w};
}

double TimelineGeometry::rowHeight(const TimelineRow& row) const {
  return laneHeight * static_cast<double>(std::max<std::size_t>(1, row.lanes.size())) + rowGap;
}

QRectF TimelineGeometry::laneRect(const TimelineData& data, int row, int lane) const {
  double y = plot.top() - scroll + rowGap / 2;
  for (int r = 0; r < row; ++r) y += rowHeight(data.rows[static_cast<std::size_t>(r)]);
  double height = predicted ? std::floor((laneHeight - 3) * 0.62) : laneHeight - 2;
  return {plot.left(), y + lane * laneHeight, plot.width(), height};
}

QRectF TimelineGeometry::predictedRect(const TimelineData& data, int row, int lane) const {
  QRectF above = laneRect(data, row, lane);
  return {above.left(), above.bottom() + 1, above.width(), laneHeight - 3 - above.height()};
}

double TimelineGeometry::totalHeight(const TimelineData& data) const {
  double height = 0;
  for (const TimelineRow& row : data.rows) height += rowHeight(row);
  return height;
}

std::vector<StepSpan> stepsIn(const TimelineRow& row, const TimelineView& view, double pixels) {
  std::vector<StepSpan> found;
  if (!(view.width() > 0) || pixels <= 0) return found;
  const double pixel = view.width() / pixels;
  auto at = std::upper_bound(row.steps.begin(), row.steps.end(), view.start);
  if (at != row.steps.begin()) --at;  // it began before the view and may reach into it
  while (at != row.steps.end() && *at < view.end) {
    auto next = std::upper_bound(at + 1, row.steps.end(), *at + pixel);
    double own = *at + row.predicted.seconds, last = *(next - 1) + row.predicted.seconds;
    double end = next - at > 1 ? last : own;
    if (next != row.steps.end()) end = std::min(end, *next);
    if (end > view.start) found.push_back({*at, end, static_cast<std::size_t>(next - at)});
    at = next;
  }
  return found;
}

std::vector<TimelineColumn> columnsOf(const TimelineLane& lane, const TimelineView& view, double pixels, double least) {
  std::vector<TimelineColumn> found;
  if (!(view.width() > 0) || pixels <= 0) return found;
  const double perSecond = pixels / view.width();
  auto box = [&](std::size_t i) {
    double left = std::max(-4.0, (lane.start[i] - view.start) * perSecond);
    double right = std::min(pixels + 4, (lane.end[i] - view.start) * perSecond);
    found.push_back({left, right - left, 1, static_cast<std::ptrdiff_t>(i), lane.axis[i]});
  };
  auto wide = [&](std::size_t i) { return (lane.end[i] - lane.start[i]) * perSecond >= least; };

  std::size_t i = lane.firstAfter(view.start);
  while (i < lane.size() && lane.start[i] < view.end) {
    if (wide(i)) {
      box(i++);
      continue;
    }
    double pixel = std::max(0.0, std::floor((lane.start[i] - view.start) * perSecond));
    double from = view.start + pixel / perSecond, to = from + 1 / perSecond;
    std::size_t after = std::max(i + 1, TimelineCursor(lane, i).firstStartingAfter(std::nextafter(to, from)));
    while (after < lane.size() && std::floor((lane.start[after] - view.start) * perSecond) <= pixel)
      ++after;  // rounding: one column a pixel
    double filled = lane.busy[after - 1] + std::min(to, lane.end[after - 1]) - lane.start[after - 1] - lane.busy[i];
    if (lane.start[i] < from) filled -= from - lane.start[i];
    found.push_back({pixel, 1, std::clamp(filled * perSecond, 0.0, 1.0), -1, lane.axis[i]});
    if (after - 1 > i && wide(after - 1)) box(after - 1);  // begins in this pixel and reaches beyond it
    i = after;
  }
  return found;
}

}  // namespace ui
