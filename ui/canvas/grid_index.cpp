#include "ui/canvas/grid_index.h"

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

constexpr int mostCells = 64;  // a rectangle that covers more is large

// Not QRectF::intersects: lines have no width.
bool touches(const QRectF& a, const QRectF& b) {
  return a.left() <= b.right() && b.left() <= a.right() && a.top() <= b.bottom() && b.top() <= a.bottom();
}

}  // namespace

GridIndex::GridIndex(const std::vector<QRectF>& rects) : rects_(rects) {
  if (rects.empty()) return;
  double left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY;
  for (const QRectF& r : rects) {
    left = std::min(left, r.left());
    top = std::min(top, r.top());
    right = std::max(right, r.right());
    bottom = std::max(bottom, r.bottom());
  }
  bounds_ = {left, top, std::max(1.0, right - left), std::max(1.0, bottom - top)};
  double side = std::sqrt(bounds_.width() * bounds_.height() / static_cast<double>(rects.size()));
  columns_ = std::clamp(static_cast<int>(bounds_.width() / side), 1, 512);
  rows_ = std::clamp(static_cast<int>(bounds_.height() / side), 1, 4096);
  std::vector<int> count(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_) + 1, 0);
  auto each = [&](const QRectF& r, auto&& visit) {
    for (int y = row(r.top()); y <= row(r.bottom()); ++y)
      for (int x = column(r.left()); x <= column(r.right()); ++x)
        visit(static_cast<std::size_t>(y) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(x));
  };
  auto isLarge = [&](const QRectF& r) {
    return (row(r.bottom()) - row(r.top()) + 1) * (column(r.right()) - column(r.left()) + 1) > mostCells;
  };
  for (std::size_t i = 0; i < rects.size(); ++i) {
    if (isLarge(rects[i]))
      large_.push_back(static_cast<int>(i));
    else
      each(rects[i], [&](std::size_t cell) { ++count[cell + 1]; });
  }
  for (std::size_t c = 1; c < count.size(); ++c) count[c] += count[c - 1];
  start_ = count;
  entries_.resize(static_cast<std::size_t>(start_.back()));
  for (std::size_t i = 0; i < rects.size(); ++i)
    if (!isLarge(rects[i]))
      each(rects[i],
           [&](std::size_t cell) { entries_[static_cast<std::size_t>(count[cell]++)] = static_cast<int>(i); });
}

int GridIndex::column(double x) const {
  return std::clamp(static_cast<int>((x - bounds_.left()) / bounds_.width() * columns_), 0, columns_ - 1);
}
int GridIndex::row(double y) const {
  return std::clamp(static_cast<int>((y - bounds_.top()) / bounds_.height() * rows_), 0, rows_ - 1);
}

std::vector<int> GridIndex::touching(const QRectF& window) const {
  std::vector<int> found;
  if (rects_.empty() || !touches(bounds_, window)) return found;
  for (int i : large_)
    if (touches(rects_[static_cast<std::size_t>(i)], window)) found.push_back(i);
  for (int y = row(window.top()); y <= row(window.bottom()); ++y)
    for (int x = column(window.left()); x <= column(window.right()); ++x) {
      std::size_t cell = static_cast<std::size_t>(y) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(x);
      for (int e = start_[cell]; e < start_[cell + 1]; ++e) {
        int i = entries_[static_cast<std::size_t>(e)];
        if (touches(rects_[static_cast<std::size_t>(i)], window)) found.push_back(i);
      }
    }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace ui
