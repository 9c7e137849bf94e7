#pragma once

#include <QWidget>
#include <cstdint>
#include <memory>
#include <vector>

#include "ui/widgets/timeline_data.h"
#include "ui/widgets/timeline_view.h"

namespace ui {

// Slices of time, a row per rank with lanes for compute, communication and waiting; an overview strip on top.
// Zoom: W and S or Ctrl+wheel at the pointer; pan: A and D, arrows, wheel, Shift+drag or middle drag; drag = range;
// comma and point go to the previous and next slice of the lane; M marks; F fits. While data comes, follow keeps the
// right edge until a pan or zoom. What was predicted of each step stands under what was measured of it.
class Timeline : public QWidget {
  Q_OBJECT

 public:
  explicit Timeline(QWidget* parent = nullptr);
  ~Timeline() override;

  void setData(TimelineData data);
  void append(int row, TimelineLane::Kind lane,
              const TimelineSlice& slice);  // a live run; slices of one lane in order of start
  void beginStep(int row, double start);    // of a live run; the prediction is laid under it too
  void setPredictions(std::vector<TimelinePrediction> byRow);
  const TimelineData& data() const { return data_; }

  const TimelineView& view() const { return view_; }
  void setView(double start, double end);  // seconds
  void fit();

  bool following() const { return following_; }
  void setFollowing(bool following);
  void setLive(bool live);    // whether more may come: only then is anything followed or paused
  QString stateText() const;  // "Following", "1.2 s behind", "Paused"; empty when nothing comes
  double behind() const;      // seconds between the right edge of the view and the newest slice

  // Marks every slice of one instruction, over all ranks; -1 = none.
  void setHighlighted(int label);
  int highlighted() const { return highlighted_; }
  TimelineHit hitTest(QPointF at) const;
  QRectF sliceRect(const TimelineHit& hit) const;
  // The predicted slice at a place: its lane's slice of RunPrediction's one step.
  TimelineHit predictedAt(QPointF at) const;

  QSize sizeHint() const override { return {900, 320}; }
  QSize minimumSizeHint() const override { return {320, 140}; }

 signals:
  void sliceSelected(int label, int row);  // -1 = none
  void rangeSelected(double start, double end);
  void followingChanged(bool following);
  void viewChanged(double start, double end);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Drag;
  void userMoved();
  void emitView();
  void step(int direction);
  void select(const TimelineHit& hit);
  TimelineGeometry geometry() const;

  TimelineData data_;
  TimelineView view_;
  bool following_ = true;
  bool live_ = true;
  int highlighted_ = -1;
  TimelineHit selected_;
  double scroll_ = 0;  // vertical, pixels
  std::vector<double> marks_;
  std::unique_ptr<Drag> drag_;
};

}  // namespace ui
