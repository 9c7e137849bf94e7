#include "ui/graph_layout/layering.h"

#include <algorithm>

namespace ui {

namespace {

struct Adjacency {
  std::vector<std::vector<int>> out, in;  // edge indices
};

Adjacency adjacencyOf(const LevelGraph& graph, const std::vector<bool>& use) {
  Adjacency a;
  a.out.resize(graph.boxes.size());
  a.in.resize(graph.boxes.size());
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    if (!use[e]) continue;
    a.out[static_cast<std::size_t>(graph.edges[e].from)].push_back(static_cast<int>(e));
    a.in[static_cast<std::size_t>(graph.edges[e].to)].push_back(static_cast<int>(e));
  }
  return a;
}

// Marks edges that close a cycle as not forward, by depth-first search without recursion; returns boxes in topological
// order.
std::vector<int> breakCycles(const LevelGraph& graph, std::vector<bool>& forward) {
  Adjacency a = adjacencyOf(graph, forward);
  enum : char { unseen, open, closed };
  std::vector<char> state(graph.boxes.size(), unseen);
  std::vector<int> order;
  std::vector<std::pair<int, std::size_t>> stack;
  for (std::size_t root = 0; root < graph.boxes.size(); ++root) {
    if (state[root] != unseen) continue;
    stack.push_back({static_cast<int>(root), 0});
    state[root] = open;
    while (!stack.empty()) {
      auto& [box, next] = stack.back();
      const auto& edges = a.out[static_cast<std::size_t>(box)];
      if (next == edges.size()) {
        state[static_cast<std::size_t>(box)] = closed;
        order.push_back(box);
        stack.pop_back();
        continue;
      }
      int edge = edges[next++];
      auto to = static_cast<std::size_t>(graph.edges[static_cast<std::size_t>(edge)].to);
      if (state[to] == open) {
        forward[static_cast<std::size_t>(edge)] = false;
      } else if (state[to] == unseen) {
        state[to] = open;
        stack.push_back({static_cast<int>(to), 0});
      }
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace

Layering layeringOf(const LevelGraph& graph) {
  Layering found;
  found.forward.resize(graph.edges.size());
  for (std::size_t e = 0; e < graph.edges.size(); ++e)
    found.forward[e] = !graph.edges[e].back && graph.edges[e].from != graph.edges[e].to;
  std::vector<int> order = breakCycles(graph, found.forward);
  Adjacency a = adjacencyOf(graph, found.forward);
  bool anyTop = false, anyBottom = false;
  for (std::size_t i = 0; i < graph.boxes.size(); ++i) {
    anyTop |= graph.end(i) == LevelEnd::top;
    anyBottom |= graph.end(i) == LevelEnd::bottom;
  }
  found.rows.assign(graph.boxes.size(), 0);
  int last = 0;
  for (int box : order) {
    auto b = static_cast<std::size_t>(box);
    int row = anyTop && graph.end(b) != LevelEnd::top ? 1 : 0;
    for (int edge : a.in[b])
      row = std::max(row, found.rows[static_cast<std::size_t>(graph.edges[static_cast<std::size_t>(edge)].from)] + 1);
    if (graph.end(b) == LevelEnd::top) row = 0;
    found.rows[b] = row;
    if (graph.end(b) != LevelEnd::bottom) last = std::max(last, row);
  }
  if (anyBottom) ++last;
  for (std::size_t b = 0; b < graph.boxes.size(); ++b)
    if (graph.end(b) == LevelEnd::bottom) found.rows[b] = last;
  for (auto box = order.rbegin(); box != order.rend(); ++box) {  // inputs stand just above what reads them
    auto b = static_cast<std::size_t>(*box);
    if (graph.end(b) != LevelEnd::none || a.out[b].empty() || a.out[b].size() <= a.in[b].size()) continue;
    int lowest = last;
    for (int edge : a.out[b])
      lowest =
          std::min(lowest, found.rows[static_cast<std::size_t>(graph.edges[static_cast<std::size_t>(edge)].to)] - 1);
    found.rows[b] = std::max(found.rows[b], lowest);
  }
  found.count = graph.boxes.empty() ? 0 : last + 1;
  return found;
}

}  // namespace ui
