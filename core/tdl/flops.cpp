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

// The loop v of sum(..) select(x == v, a, 0): of all its values one alone adds a term, so nobody goes through the others
// (a scatter, the choice of a label's column). -1 where the body is of another form.
int chosenLoop(const Expression& expression, const Node& reduce) {
  if (reduce.reduction != Reduction::sum) return -1;
  const auto at = [&](int child) -> const Node& { return expression.nodes[static_cast<std::size_t>(child)]; };
  const Node& body = at(reduce.a);
  if (body.kind != Node::Kind::select || at(body.c).kind != Node::Kind::constant || at(body.c).value != 0) return -1;
  const Node& condition = at(body.a);
  if (condition.kind != Node::Kind::binary || condition.function != Function::equal) return -1;
  for (int side : {condition.a, condition.b})
    if (at(side).kind == Node::Kind::loop) return at(side).loops[0];
  return -1;
}

// Of how many places in sum(..) select(i % s == 0, a, 0) * b one adds a term: s, and the product where several such tests stand around a.
// The others are passed over by who lays a stride's steps apart (a transposed convolution).
std::int64_t stepOf(const Expression& expression, int at) {
  const auto node = [&](int child) -> const Node& { return expression.nodes[static_cast<std::size_t>(child)]; };
  const Node& one = node(at);
  if (one.kind == Node::Kind::binary && one.function == Function::multiply) return times(stepOf(expression, one.a), stepOf(expression, one.b));
  if (one.kind != Node::Kind::select || node(one.c).kind != Node::Kind::constant || node(one.c).value != 0) return 1;
  const Node& condition = node(one.a);
  if (condition.kind != Node::Kind::binary || condition.function != Function::equal || node(condition.b).kind != Node::Kind::constant) return 1;
  const Node& rest = node(condition.a);
  if (rest.kind != Node::Kind::binary || rest.function != Function::floorModulo || node(rest.b).kind != Node::Kind::constant) return 1;
  return times(static_cast<std::int64_t>(node(rest.b).value), stepOf(expression, one.b));
}

std::vector<int> without(std::vector<int> loops, int loop) {
  std::erase(loops, loop);
  return loops;
}

// Of one value of the node. Children stand before their parents, so one pass knows them all.
std::int64_t flopsOfNode(const Expression& expression, const Node& node, std::span<const std::int64_t> known, std::span<const std::int64_t> extents) {
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
    case Node::Kind::reduce: {
      const std::int64_t step = node.reduction == Reduction::sum ? std::max<std::int64_t>(stepOf(expression, node.a), 1) : 1;
      const std::int64_t terms = iterations(without(node.loops, chosenLoop(expression, node)), extents);
      return times(terms / step + (terms % step != 0), plus(of(node.a), 1));
    }
    case Node::Kind::cast:
      return of(node.a);
  }
  return 0;
}

}  // namespace

std::int64_t flops(const Expression& expression, std::span<const std::int64_t> loopExtents) {
  std::vector<std::int64_t> known(expression.nodes.size());
  for (std::size_t i = 0; i < known.size(); ++i) known[i] = flopsOfNode(expression, expression.nodes[i], known, loopExtents);
  std::int64_t total = 0;
  for (const ExpressionOutput& output : expression.outputs) {
    const Node& root = expression.nodes[static_cast<std::size_t>(output.root)];
    const int chosen = root.kind == Node::Kind::reduce ? chosenLoop(expression, root) : -1;
    total = plus(total, times(iterations(without(output.loops, chosen), loopExtents), known[static_cast<std::size_t>(output.root)]));
  }
  return total;
}

}  // namespace core
