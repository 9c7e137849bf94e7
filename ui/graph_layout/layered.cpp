#include "ui/graph_layout/layered.h"

#include <algorithm>
#include <numeric>

#include "ui/graph_layout/isotonic.h"
#include "ui/graph_layout/layering.h"

namespace ui {

namespace {

// Boxes and, where a long edge passes a row, a bend that keeps a way free for it.
struct Vertex {
  int row = 0;
  double width = 0;
  bool bend = false;
  std::vector<std::pair<int, double>> up, down;  // neighbour, weight
  double x = 0;                                  // centre
};

struct Rows {
  std::vector<Vertex> vertices;  // boxes first
  std::vector<std::vector<int>> rows;
};

constexpr double bendWidth = 10;

void connect(Rows& r, int upper, int lower, double weight) {
  r.vertices[static_cast<std::size_t>(upper)].down.push_back({lower, weight});
  r.vertices[static_cast<std::size_t>(lower)].up.push_back({upper, weight});
}

// One chain of bends a net, as far as its farthest target: the router lets all of them share the way.
Rows rowsOf(const LevelGraph& graph, const Layering& layering) {
  Rows r;
  r.rows.resize(static_cast<std::size_t>(layering.count));
  for (std::size_t b = 0; b < graph.boxes.size(); ++b)
    r.vertices.push_back({layering.rows[b], graph.boxes[b].width(), false, {}, {}, 0});
  std::size_t room = 4 * graph.boxes.size() + 4000;  // so many bends at most: past these, long edges only pull
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    if (!layering.forward[e]) continue;
    const LevelEdge& edge = graph.edges[e];
    int from = layering.rows[static_cast<std::size_t>(edge.from)],
        to = layering.rows[static_cast<std::size_t>(edge.to)];
    auto needed = static_cast<std::size_t>(std::max(0, to - from - 1));
    if (needed > room) {
      connect(r, edge.from, edge.to, 0.2);
      continue;
    }
    room -= needed;
    int before = edge.from;
    for (int row = from + 1; row < to; ++row) {
      r.vertices.push_back({row, bendWidth, true, {}, {}, 0});
      int bend = static_cast<int>(r.vertices.size()) - 1;
      connect(r, before, bend, before == edge.from ? 1 : 4);
      before = bend;
    }
    connect(r, before, edge.to, needed ? 1 : 2.0 * edge.weight);
  }
  for (std::size_t v = 0; v < r.vertices.size(); ++v)
    r.rows[static_cast<std::size_t>(r.vertices[v].row)].push_back(static_cast<int>(v));
  return r;
}

std::vector<int> placesOf(const Rows& r) {
  std::vector<int> place(r.vertices.size());
  for (const auto& row : r.rows)
    for (std::size_t i = 0; i < row.size(); ++i) place[static_cast<std::size_t>(row[i])] = static_cast<int>(i);
  return place;
}

void sortByBarycentre(Rows& r, std::size_t row, bool fromAbove, std::vector<int>& place) {
  auto& members = r.rows[row];
  std::vector<std::pair<double, int>> keyed;
  for (int v : members) {
    const Vertex& vertex = r.vertices[static_cast<std::size_t>(v)];
    const auto& neighbours = fromAbove ? vertex.up : vertex.down;
    double sum = 0, weight = 0;
    for (auto [n, w] : neighbours) {
      // relative to the neighbour's row, so that rows of unlike lengths compare
      auto length =
          static_cast<double>(r.rows[static_cast<std::size_t>(r.vertices[static_cast<std::size_t>(n)].row)].size());
      sum += w * (place[static_cast<std::size_t>(n)] + 0.5) / length;
      weight += w;
    }
    double own = (place[static_cast<std::size_t>(v)] + 0.5) / static_cast<double>(members.size());
    keyed.push_back({weight > 0 ? sum / weight : own, v});
  }
  std::stable_sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < members.size(); ++i) {
    members[i] = keyed[i].second;
    place[static_cast<std::size_t>(members[i])] = static_cast<int>(i);
  }
}

// Crossings between neighbouring rows, counted by inversions.
std::size_t crossings(const Rows& r, const std::vector<int>& place) {
  std::size_t count = 0;
  std::vector<std::size_t> tree;
  for (std::size_t row = 0; row + 1 < r.rows.size(); ++row) {
    std::size_t width = r.rows[row + 1].size();
    tree.assign(width + 1, 0);
    std::size_t seen = 0;
    for (int v : r.rows[row]) {
      std::vector<int> targets;
      for (auto [n, w] : r.vertices[static_cast<std::size_t>(v)].down)
        if (r.vertices[static_cast<std::size_t>(n)].row == static_cast<int>(row) + 1)
          targets.push_back(place[static_cast<std::size_t>(n)]);
      for (int t : targets) {
        std::size_t notAfter = 0;
        for (auto i = static_cast<std::size_t>(t) + 1; i > 0; i -= i & (~i + 1)) notAfter += tree[i];
        count += seen - notAfter;
      }
      for (int t : targets) {
        for (auto i = static_cast<std::size_t>(t) + 1; i <= width; i += i & (~i + 1)) ++tree[i];
        ++seen;
      }
    }
  }
  return count;
}

void order(Rows& r) {
  std::vector<int> place = placesOf(r);
  auto best = r.rows;
  std::size_t fewest = crossings(r, place);
  int rounds = r.vertices.size() > 5000 ? 4 : 12;
  for (int round = 0; round < rounds && fewest > 0; ++round) {
    if (round % 2 == 0)
      for (std::size_t row = 1; row < r.rows.size(); ++row) sortByBarycentre(r, row, true, place);
    else
      for (std::size_t row = r.rows.size(); row-- > 0;) sortByBarycentre(r, row, false, place);
    std::size_t now = crossings(r, place);
    if (now < fewest) {
      fewest = now;
      best = r.rows;
    }
  }
  r.rows = std::move(best);
}

void pull(Rows& r, std::size_t row, bool above, bool below, double columnGap) {
  const auto& members = r.rows[row];
  std::vector<double> wanted, weights, gaps;
  for (std::size_t i = 0; i < members.size(); ++i) {
    Vertex& vertex = r.vertices[static_cast<std::size_t>(members[i])];
    double sum = 0, weight = 0;
    auto add = [&](const auto& neighbours) {
      for (auto [n, w] : neighbours) {
        sum += w * r.vertices[static_cast<std::size_t>(n)].x;
        weight += w;
      }
    };
    if (above) add(vertex.up);
    if (below) add(vertex.down);
    wanted.push_back(weight > 0 ? sum / weight : vertex.x);
    weights.push_back(weight > 0 ? weight : 0.05);
    const Vertex* before = i > 0 ? &r.vertices[static_cast<std::size_t>(members[i - 1])] : nullptr;
    double gap = before && (before->bend || vertex.bend) ? columnGap * 0.6 : columnGap;
    gaps.push_back(before ? (before->width + vertex.width) / 2 + gap : 0);
  }
  std::vector<double> placed = spread(wanted, weights, gaps);
  for (std::size_t i = 0; i < members.size(); ++i) r.vertices[static_cast<std::size_t>(members[i])].x = placed[i];
}

void assignColumns(Rows& r, double columnGap) {
  for (const auto& row : r.rows) {
    double x = 0;
    for (int v : row) {
      Vertex& vertex = r.vertices[static_cast<std::size_t>(v)];
      vertex.x = x + vertex.width / 2;
      x += vertex.width + (vertex.bend ? columnGap * 0.6 : columnGap);
    }
    for (int v : row) r.vertices[static_cast<std::size_t>(v)].x -= x / 2;
  }
  int rounds = r.vertices.size() > 5000 ? 3 : 8;
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t row = 1; row < r.rows.size(); ++row) pull(r, row, true, round > 1, columnGap);
    for (std::size_t row = r.rows.size(); row-- > 0;) pull(r, row, round > 1, true, columnGap);
  }
  for (std::size_t row = 1; row < r.rows.size(); ++row) pull(r, row, true, false, columnGap);
}

}  // namespace

LevelPlacement layered(const LevelGraph& graph) {
  Layering layering = layeringOf(graph);
  Rows r = rowsOf(graph, layering);
  order(r);
  assignColumns(r, graph.columnGap);
  LevelPlacement placement;
  placement.rows = layering.rows;
  for (std::size_t b = 0; b < graph.boxes.size(); ++b)
    placement.boxes.push_back({r.vertices[b].x - graph.boxes[b].width() / 2, 0});
  return placement;
}

}  // namespace ui
