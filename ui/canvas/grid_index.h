#pragma once

#include <QRectF>
#include <vector>

namespace ui {

// Which of many rectangles touch a window: each is entered in the cells that it touches, or, when it covers many, in a
// list of large ones.
class GridIndex {
 public:
  GridIndex() = default;
  explicit GridIndex(const std::vector<QRectF>& rects);

  // Indices in ascending order, each once.
  std::vector<int> touching(const QRectF& window) const;

 private:
  int column(double x) const;
  int row(double y) const;

  std::vector<QRectF> rects_;
  QRectF bounds_;
  int columns_ = 0, rows_ = 0;
  std::vector<int> start_;  // per cell, into entries_; one more at the end
  std::vector<int> entries_;
  std::vector<int> large_;
};

}  // namespace ui
