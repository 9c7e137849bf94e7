#include "ui/widgets/timeline_data.h"

#include <algorithm>

namespace ui {

void TimelineLane::append(const TimelineSlice& slice) {
  double from = end.empty() ? slice.start : std::max(slice.start, end.back());
  busy.push_back(end.empty() ? 0 : busy.back() + end.back() - start.back());
  start.push_back(from);
  end.push_back(std::max(from, slice.end));
  label.push_back(slice.label);
  axis.push_back(slice.axis);
}

std::size_t TimelineLane::firstAfter(double t) const {
  return static_cast<std::size_t>(std::upper_bound(end.begin(), end.end(), t) - end.begin());
}

double TimelineLane::covered(double from, double to) const {
  auto until = [&](double t) {
    std::size_t i = firstAfter(t);  // all before i lie wholly before t
    if (i == size()) return end.empty() ? 0.0 : busy.back() + end.back() - start.back();
    return busy[i] + std::max(0.0, t - start[i]);
  };
  return until(to) - until(from);
}

namespace {

// First index from `from` on where `isBehind` holds; near ones are found in few steps.
template <class Behind>
std::size_t gallop(std::size_t from, std::size_t size, Behind isBehind) {
  std::size_t step = 1, low = from;
  while (low + step < size && !isBehind(low + step)) {
    low += step;
    step *= 2;
  }
  std::size_t high = std::min(size, low + step + 1);
  while (low < high) {
    std::size_t middle = (low + high) / 2;
    if (isBehind(middle))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

}  // namespace

double TimelineCursor::covered(double until) {
  if (lane_.size() == 0) return 0;
  at_ = gallop(at_, lane_.size(), [&](std::size_t i) { return lane_.end[i] > until; });
  if (at_ == lane_.size()) return lane_.busy.back() + lane_.end.back() - lane_.start.back();
  return lane_.busy[at_] + std::max(0.0, until - lane_.start[at_]);
}

std::size_t TimelineCursor::firstStartingAfter(double t) {
  at_ = gallop(at_, lane_.size(), [&](std::size_t i) { return lane_.start[i] > t; });
  return at_;
}

double TimelineData::start() const {
  double first = 0;
  bool any = false;
  for (const TimelineRow& row : rows)
    for (const TimelineLane& lane : row.lanes)
      if (lane.size() && (!any || lane.start.front() < first)) {
        first = lane.start.front();
        any = true;
      }
  return first;
}

double TimelineData::end() const {
  double last = 0;
  for (const TimelineRow& row : rows)
    for (const TimelineLane& lane : row.lanes)
      if (lane.size()) last = std::max(last, lane.end.back());
  return last;
}

bool TimelineData::hasPrediction() const {
  return std::any_of(rows.begin(), rows.end(), [](const TimelineRow& row) { return row.predicted.seconds > 0; });
}

std::size_t TimelineData::sliceCount() const {
  std::size_t count = 0;
  for (const TimelineRow& row : rows)
    for (const TimelineLane& lane : row.lanes) count += lane.size();
  return count;
}

}  // namespace ui
