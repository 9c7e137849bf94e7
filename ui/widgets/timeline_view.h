#pragma once

#include <QRectF>
#include <vector>

#include "ui/widgets/timeline_data.h"

// Where the timeline draws what; pure, so that it can be tested without a widget.

namespace ui {

// The visible stretch of time.
struct TimelineView {
  double start = 0;
  double end = 1;
  double width() const { return end - start; }
  TimelineView zoomed(double factor, double at) const;  // factor > 1 = closer; the time `at` stays where it is
  TimelineView moved(double seconds) const { return {start + seconds, end + seconds}; }
};

struct TimelineHit {
  int row = -1;
  int lane = -1;
  std::ptrdiff_t slice = -1;
  bool valid() const { return slice >= 0; }
  bool operator==(const TimelineHit&) const = default;
};

struct TimelineGeometry {
  QRectF overview;
  QRectF ruler;
  QRectF names;  // left of the rows
  QRectF plot;   // rows
  double laneHeight = 14;
  bool predicted = false;  // the lower part of each lane is for what was predicted
  double rowGap = 8;
  double scroll = 0;
  double rowHeight(const TimelineRow& row) const;
  QRectF laneRect(const TimelineData& data, int row, int lane) const;  // of what was measured
  QRectF predictedRect(const TimelineData& data, int row, int lane) const;
  double totalHeight(const TimelineData& data) const;
  double x(double time, const TimelineView& view) const {
    return plot.left() + (time - view.start) / view.width() * plot.width();
  }
  double time(double x, const TimelineView& view) const {
    return view.start + (x - plot.left()) / plot.width() * view.width();
  }
};

// One drawn box: a slice at least `least` pixels wide, or a column of a pixel in which slices cover `share`.
struct TimelineColumn {
  double left = 0;
  double width = 0;
  double share = 1;
  std::ptrdiff_t slice = -1;  // of a box; -1 = a density column
  std::int16_t axis = -1;
};

// Which of a row's steps a view shows, with room for a prediction to end where the next step begins.
struct StepSpan {
  double start = 0, end = 0;  // of the part under which the prediction may stand
  std::size_t count = 1;      // steps that one pixel holds: they are drawn as one
};
std::vector<StepSpan> stepsIn(const TimelineRow& row, const TimelineView& view, double pixels);

// What a lane draws in `pixels` columns over a view; cost by pixels and log of the slices, not by slices.
std::vector<TimelineColumn> columnsOf(const TimelineLane& lane, const TimelineView& view, double pixels,
                                      double least = 2);

}  // namespace ui
