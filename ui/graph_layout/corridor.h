#pragma once

#include <vector>

namespace ui {

// Which columns are free in each row: where an edge can go straight down past several rows.
class Corridors {
 public:
  explicit Corridors(int rows) : blocked_(static_cast<std::size_t>(rows)) {}
  void block(int row, double left, double right);

  // A column free in all rows from first to last, near to the given xs in sum; beyond all boxes there always is one.
  double find(int first, int last, const std::vector<double>& near) const;

 private:
  struct Interval {
    double left, right;
  };
  std::vector<std::vector<Interval>> blocked_;
};

}  // namespace ui
