#include <algorithm>
#include <numeric>

#include "executor/kernels/tiles/tiles.h"

namespace executor::tiles {
namespace {

class Choosing {
 public:
  Choosing(Plan& plan, const Access& primary, bool chain) : plan_(plan), chain_(chain) {
    for (Access& access : plan_.accesses) accesses_.push_back(&access);
    order_.resize(plan_.loops.size());
    std::iota(order_.begin(), order_.end(), 0);
    std::stable_sort(order_.begin(), order_.end(), [&](int a, int b) { return key(primary, a) > key(primary, b); });
  }

  bool run() {
    dropOnes();
    join();
    for (int loop : order_) anyReduced_ |= plan_.loops[at(loop)].reduced;
    chooseColumn();
    chooseRow();
    for (int loop : order_) {
      if (loop == plan_.row || loop == plan_.column) continue;
      (plan_.loops[at(loop)].reduced ? plan_.outerReduced : plan_.outer).push_back(loop);
    }
    // A chain's reductions are done within a tile.
    const bool rowReduced = plan_.row >= 0 && plan_.loops[at(plan_.row)].reduced;
    return !chain_ || !anyReduced_ || (plan_.outerReduced.empty() && !rowReduced && plan_.loops[at(plan_.column)].reduced);
  }

  bool transposes() const { return transposes_; }

 private:
  static std::size_t at(int loop) { return static_cast<std::size_t>(loop); }

  // In a chain what is reduced lies innermost.
  std::int64_t key(const Access& primary, int loop) const {
    const std::int64_t stride = primary.strides[at(loop)] == 0 ? std::int64_t{1} << 60 : std::abs(primary.strides[at(loop)]);
    return chain_ && plan_.loops[at(loop)].reduced ? stride - (std::int64_t{1} << 61) : stride;
  }

  void dropOnes() {
    std::erase_if(order_, [&](int loop) { return plan_.loops[at(loop)].size == 1; });
  }

  void join() {
    for (std::size_t i = order_.size(); i-- > 1;) {
      Loop& outer = plan_.loops[at(order_[i - 1])];
      Loop& inner = plan_.loops[at(order_[i])];
      const bool one = outer.reduced == inner.reduced && !outer.alone && !inner.alone && std::all_of(accesses_.begin(), accesses_.end(), [&](const Access* access) {
        return access->strides[at(order_[i - 1])] == access->strides[at(order_[i])] * inner.size;
      });
      if (!one) continue;
      outer.size *= inner.size;
      for (Access* access : accesses_) access->strides[at(order_[i - 1])] = access->strides[at(order_[i])];
      inner.size = 1;
      order_.erase(order_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  void chooseColumn() {
    if (!order_.empty()) plan_.column = order_.back();
  }

  void chooseRow() {
    std::vector<int> rest(order_.begin(), order_.end() - (order_.empty() ? 0 : 1));
    if (rest.empty()) return;
    const bool columnReduced = plan_.loops[at(plan_.column)].reduced;
    const auto last = [&](bool reduced) {
      const auto found = std::find_if(rest.rbegin(), rest.rend(), [&](int loop) { return plan_.loops[at(loop)].reduced == reduced; });
      return found == rest.rend() ? rest.back() : *found;
    };
    plan_.row = last(anyReduced_ && !columnReduced);
    if (anyReduced_) return;
    for (const Access* access : accesses_)
      for (int loop : rest)
        if (access->strides[at(loop)] == 1 && access->strides[at(plan_.column)] != 0) {
          plan_.row = loop;
          transposes_ = true;
          return;
        }
  }

  Plan& plan_;
  std::vector<Access*> accesses_;
  std::vector<int> order_;
  bool chain_ = false, anyReduced_ = false, transposes_ = false;
};

}  // namespace

Tiling chooseTile(Plan& plan, Access primary, bool chain) {
  Choosing choosing(plan, primary, chain);
  const bool fits = choosing.run();
  return {fits, choosing.transposes()};
}

}  // namespace executor::tiles
