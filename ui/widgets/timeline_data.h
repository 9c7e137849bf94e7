#pragma once

#include <QString>
#include <QStringList>
#include <cstdint>
#include <vector>

// What a timeline shows, in flat arrays: a million slices are a few arrays a lane, searched by bisection.

namespace ui {

struct TimelineSlice {
  double start = 0;  // seconds since the run began
  double end = 0;
  std::int32_t label = 0;  // into TimelineData::labels: the instruction
  std::int16_t axis = -1;  // mesh axis of a communication: hue; -1 = none
};

struct TimelineLane {
  enum class Kind { compute, communication, waiting };
  Kind kind = Kind::compute;
  // Filled by append, read by index.
  std::vector<double> start;  // ascending
  std::vector<double> end;    // ascending too: what overlaps the slice before is cut to begin at its end
  std::vector<double> busy;   // seconds covered by the slices before this one
  std::vector<std::int32_t> label;
  std::vector<std::int16_t> axis;

  std::size_t size() const { return start.size(); }
  void append(const TimelineSlice& slice);
  TimelineSlice operator[](std::size_t i) const { return {start[i], end[i], label[i], axis[i]}; }
  std::size_t firstAfter(double t) const;        // first slice that ends after t
  double covered(double from, double to) const;  // seconds of it that slices fill
};

// Seconds covered from the lane's beginning until ascending times: each question goes on from where the last one ended.
class TimelineCursor {
 public:
  explicit TimelineCursor(const TimelineLane& lane, std::size_t from = 0) : lane_(lane), at_(from) {}
  double covered(double until);
  std::size_t firstStartingAfter(double t);  // at or behind the cursor

 private:
  const TimelineLane& lane_;
  std::size_t at_;
};

struct TimelineGap {  // lost data
  double start = 0, end = 0;
  std::int64_t lost = 0;
};

// What the model says of one step of a rank: a lane a kind, seconds from the step's begin. Kept once, drawn under
// every step.
struct TimelinePrediction {
  std::vector<TimelineLane> lanes;
  double seconds = 0;  // 0 = none
};

struct TimelineRow {
  QString name;  // "data 0 · model 1"
  std::vector<TimelineLane> lanes;
  std::vector<double> steps;            // where measured steps begin, ascending
  TimelinePrediction predicted;         // stands under each of them
  std::vector<TimelineGap> gaps;
};

struct TimelineData {
  std::vector<TimelineRow> rows;
  QStringList labels;
  QStringList axes;  // of the mesh, for letters
  double start() const;
  double end() const;
  std::size_t sliceCount() const;
  bool hasPrediction() const;
};

}  // namespace ui
