#include "core/base/flow.h"

#include <algorithm>

namespace core {

int FlowNetwork::addNode() {
  leaving_.emplace_back();
  return static_cast<int>(leaving_.size()) - 1;
}

void FlowNetwork::addEdge(int from, int to, std::int64_t capacity) {
  leaving_[static_cast<std::size_t>(from)].push_back(static_cast<int>(edges_.size()));
  edges_.push_back({to, capacity});
  leaving_[static_cast<std::size_t>(to)].push_back(static_cast<int>(edges_.size()));
  edges_.push_back({from, 0});
}

bool FlowNetwork::levelNodes(int source, int sink) {
  level_.assign(leaving_.size(), -1);
  level_[static_cast<std::size_t>(source)] = 0;
  std::vector<int> queue{source};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (int e : leaving_[static_cast<std::size_t>(queue[i])]) {
      const Edge& edge = edges_[static_cast<std::size_t>(e)];
      if (edge.left == 0 || level_[static_cast<std::size_t>(edge.to)] >= 0) continue;
      level_[static_cast<std::size_t>(edge.to)] = level_[static_cast<std::size_t>(queue[i])] + 1;
      queue.push_back(edge.to);
    }
  }
  return level_[static_cast<std::size_t>(sink)] >= 0;
}

std::int64_t FlowNetwork::push(int node, int sink, std::int64_t flow) {
  if (node == sink) return flow;
  const auto n = static_cast<std::size_t>(node);
  for (; next_[n] < leaving_[n].size(); ++next_[n]) {
    const int e = leaving_[n][next_[n]];
    Edge& edge = edges_[static_cast<std::size_t>(e)];
    if (edge.left == 0 || level_[static_cast<std::size_t>(edge.to)] != level_[n] + 1) continue;
    const std::int64_t pushed = push(edge.to, sink, std::min(flow, edge.left));
    if (pushed == 0) continue;
    edge.left -= pushed;
    edges_[static_cast<std::size_t>(e ^ 1)].left += pushed;
    return pushed;
  }
  return 0;
}

std::int64_t FlowNetwork::run(int source, int sink) {
  std::int64_t total = 0;
  while (levelNodes(source, sink)) {
    next_.assign(leaving_.size(), 0);
    while (const std::int64_t pushed = push(source, sink, unlimited)) total += pushed;
  }
  return total;
}

std::vector<bool> FlowNetwork::sourceSide(int source) const {
  std::vector<bool> reached(leaving_.size(), false);
  std::vector<int> queue{source};
  reached[static_cast<std::size_t>(source)] = true;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (int e : leaving_[static_cast<std::size_t>(queue[i])]) {
      const Edge& edge = edges_[static_cast<std::size_t>(e)];
      if (edge.left == 0 || reached[static_cast<std::size_t>(edge.to)]) continue;
      reached[static_cast<std::size_t>(edge.to)] = true;
      queue.push_back(edge.to);
    }
  }
  return reached;
}

}  // namespace core
