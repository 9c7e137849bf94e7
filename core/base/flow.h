#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace core {

// Maximum flow by Dinic's algorithm, and the side of a least cut that is nearest to the source.
class FlowNetwork {
 public:
  static constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max() / 4;

  int addNode();
  void addEdge(int from, int to, std::int64_t capacity);
  std::int64_t run(int source, int sink);
  std::vector<bool> sourceSide(int source) const;  // after run: reachable in what is left

 private:
  struct Edge {
    int to;
    std::int64_t left;
  };
  bool levelNodes(int source, int sink);
  std::int64_t push(int node, int sink, std::int64_t flow);

  std::vector<Edge> edges_;  // an edge and its reverse are neighbours
  std::vector<std::vector<int>> leaving_;
  std::vector<int> level_;
  std::vector<std::size_t> next_;
};

}  // namespace core
