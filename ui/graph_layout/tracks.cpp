#include "ui/graph_layout/tracks.h"

#include <algorithm>

namespace ui {

void Channel::add(std::size_t net, double from, double to) {
  if (from == to) return;
  double left = std::min(from, to), right = std::max(from, to);
  auto [at, isNew] = stretches_.try_emplace(net, Stretch{from, left, right, to > from, 0});
  if (isNew) return;
  at->second.left = std::min(at->second.left, left);
  at->second.right = std::max(at->second.right, right);
}

// Of those that go right the one that starts farthest right lies highest, and the other way round: nested stretches do
// not cross.
void Channel::assign() {
  std::vector<Stretch*> order;
  for (auto& [net, stretch] : stretches_) order.push_back(&stretch);
  std::stable_sort(order.begin(), order.end(), [](const Stretch* a, const Stretch* b) {
    if (a->toRight != b->toRight) return a->toRight;
    return a->toRight ? a->from > b->from : a->from < b->from;
  });
  count_ = 0;
  constexpr double clearance = 6;
  if (order.size() > 400) {  // a hundred tracks help nobody: first fit among a few, overlaps allowed
    for (std::size_t i = 0; i < order.size(); ++i) order[i]->track = static_cast<int>(i % 40);
    count_ = 40;
    return;
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    int track = 0;
    for (std::size_t k = 0; k < i; ++k)
      if (order[k]->left < order[i]->right + clearance && order[i]->left < order[k]->right + clearance)
        track = std::max(track, order[k]->track + 1);
    order[i]->track = track;
    count_ = std::max(count_, track + 1);
  }
}

int Channel::track(std::size_t net) const {
  auto at = stretches_.find(net);
  return at == stretches_.end() ? 0 : at->second.track;
}

}  // namespace ui
