#include "core/tdl/flops.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "core/tdl/function.h"

namespace core {
namespace {

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

std::int64_t plus(std::int64_t a, std::int64_t b) {
  return a > most - b ? most : a + b;
}

std::int64_t times(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? most : product;
}

std::int64_t iterations(const std::vector<int>& loops, std::span<const std::int64_t> extents) {
  std::int64_t count = 1;
  for (int loop : loops) count = times(count, extents[static_cast<std::size_t>(loop)]);
  return count;
}

// Of one value of the node. Children stand before their parents, so one pass knows them all.
std::int64_t flopsOfNode(const Node& node, std::span<const std::int64_t> known, std::span<const std::int64_t> extents) {
  const auto of = [&](int child) { return child < 0 ? 0 : known[static_cast<std::size_t>(child)]; };
  switch (node.kind) {
    case Node::Kind::constant:
    case Node::Kind::loop:
    case Node::Kind::random:
      return 0;
    case Node::Kind::read: {
      std::int64_t indices = 0;
      for (const AxisIndex& axis : node.axes) indices = plus(indices, of(axis.node));
      return plus(indices, of(node.otherwise));
    }
    case Node::Kind::unary:
      return plus(of(node.a), flopsOf(node.function));
    case Node::Kind::binary:
      return plus(plus(of(node.a), of(node.b)), flopsOf(node.function));
    case Node::Kind::select:
      return plus(of(node.a), std::max(of(node.b), of(node.c)));
    case Node::Kind::reduce:
      return times(iterations(node.loops, extents), plus(of(node.a), 1));
    case Node::Kind::cast:
      return of(node.a);
  }
  return 0;
}

}  // namespace

std::int64_t flops(const Expression& expression, std::span<const std::int64_t> loopExtents) {
  std::vector<std::int64_t> known(expression.nodes.size());
  for (std::size_t i = 0; i < known.size(); ++i) known[i] = flopsOfNode(expression.nodes[i], known, loopExtents);
  std::int64_t total = 0;
  for (const ExpressionOutput& output : expression.outputs)
    total = plus(total, times(iterations(output.loops, loopExtents), known[static_cast<std::size_t>(output.root)]));
  return total;
}

}  // namespace core
