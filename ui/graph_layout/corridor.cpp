#include "ui/graph_layout/corridor.h"

#include <algorithm>
#include <cmath>

namespace ui {

void Corridors::block(int row, double left, double right) {
  blocked_[static_cast<std::size_t>(row)].push_back({left, right});
}

double Corridors::find(int first, int last, const std::vector<double>& near) const {
  std::vector<Interval> all;
  for (int row = first; row <= last; ++row) {
    const auto& own = blocked_[static_cast<std::size_t>(row)];
    all.insert(all.end(), own.begin(), own.end());
  }
  std::sort(all.begin(), all.end(), [](const Interval& a, const Interval& b) { return a.left < b.left; });
  std::vector<Interval> merged;
  for (const Interval& one : all) {
    if (!merged.empty() && one.left < merged.back().right)
      merged.back().right = std::max(merged.back().right, one.right);
    else
      merged.push_back(one);
  }
  auto blocked = [&](double x) {
    auto after =
        std::upper_bound(merged.begin(), merged.end(), x, [](double v, const Interval& i) { return v < i.left; });
    return after != merged.begin() && x < std::prev(after)->right && x > std::prev(after)->left;
  };
  std::vector<double> candidates = near;
  for (const Interval& one : merged) {
    candidates.push_back(one.left);
    candidates.push_back(one.right);
  }
  double best = 0, least = INFINITY;
  for (double x : candidates) {
    double cost = 0;
    for (double n : near) cost += std::abs(x - n);
    if (cost < least && !blocked(x)) {
      least = cost;
      best = x;
    }
  }
  return best;
}

}  // namespace ui
