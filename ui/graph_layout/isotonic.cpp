#include "ui/graph_layout/isotonic.h"

#include <cstddef>

namespace ui {

// With the gaps taken off this is isotonic regression, solved by pooling neighbours that are out of order.
std::vector<double> spread(const std::vector<double>& wanted, const std::vector<double>& weights,
                           const std::vector<double>& gaps) {
  struct Pool {
    double sum, weight;
    std::size_t count;
    double mean() const { return sum / weight; }
  };
  std::vector<double> offset(wanted.size(), 0);
  for (std::size_t i = 1; i < wanted.size(); ++i) offset[i] = offset[i - 1] + gaps[i];
  std::vector<Pool> pools;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    pools.push_back({(wanted[i] - offset[i]) * weights[i], weights[i], 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      Pool last = pools.back();
      pools.pop_back();
      pools.back() = {pools.back().sum + last.sum, pools.back().weight + last.weight, pools.back().count + last.count};
    }
  }
  std::vector<double> found;
  found.reserve(wanted.size());
  for (const Pool& pool : pools)
    for (std::size_t i = 0; i < pool.count; ++i) found.push_back(pool.mean() + offset[found.size()]);
  return found;
}

}  // namespace ui
