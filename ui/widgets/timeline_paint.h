#pragma once

#include <QFont>

#include "ui/widgets/timeline_view.h"

class QPainter;

namespace ui {

struct TimelinePicture {
  const TimelineData& data;
  const TimelineView& view;
  const TimelineGeometry& geometry;
  int highlighted = -1;
  TimelineHit selected;
  const std::vector<double>& marks;
  bool hasRange = false;
  double rangeStart = 0, rangeEnd = 0;
};

void paintTimeline(QPainter& painter, const TimelinePicture& picture, const QFont& font);

// Over the names, beside the overview: what that shows, and whether more comes.
void paintTimelineCorner(QPainter& painter, const TimelineGeometry& geometry, const QString& state, bool following,
                         const QFont& font);

}  // namespace ui
