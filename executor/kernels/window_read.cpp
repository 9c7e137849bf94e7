#include "executor/kernels/window_read.h"

#include <algorithm>
#include <map>

namespace executor {
namespace {

using core::AxisIndex;
using core::Expression;
using core::Function;
using core::Node;

const Node& at(const Expression& expression, int node) { return expression.nodes[static_cast<std::size_t>(node)]; }
bool isZero(const Expression& expression, int node) { return node >= 0 && at(expression, node).kind == Node::Kind::constant && at(expression, node).value == 0; }

// offset + sum of factor * loop; none for anything else.
struct Linear {
  std::int64_t offset = 0;
  std::map<int, std::int64_t> factors;
  bool operator==(const Linear&) const = default;
};

std::optional<Linear> linear(const Expression& expression, int node) {
  const Node& one = at(expression, node);
  if (one.kind == Node::Kind::constant) return Linear{static_cast<std::int64_t>(one.value), {}};
  if (one.kind == Node::Kind::loop) return Linear{0, {{one.loops[0], 1}}};
  if (one.kind != Node::Kind::binary) return std::nullopt;
  auto a = linear(expression, one.a), b = linear(expression, one.b);
  if (!a || !b) return std::nullopt;
  if (one.function == Function::multiply) {
    if (!b->factors.empty()) return std::nullopt;
    for (auto& [loop, factor] : a->factors) factor *= b->offset;
    a->offset *= b->offset;
    return a;
  }
  if (one.function != Function::add && one.function != Function::subtract) return std::nullopt;
  const std::int64_t sign = one.function == Function::add ? 1 : -1;
  a->offset += sign * b->offset;
  for (const auto& [loop, factor] : b->factors) a->factors[loop] += sign * factor;
  return a;
}

// The index through a window, and whether it goes against it.
std::optional<WindowAxis> windowAxisOf(const Expression& expression, const AxisIndex& index, std::size_t axis, bool& transposed) {
  if (index.kind != AxisIndex::Kind::affine || index.modulo != 0 || index.terms.size() != 2) return std::nullopt;
  const auto isOutput = [&](const core::LoopTerm& term) { return expression.loops[static_cast<std::size_t>(term.loop)].kind == core::Loop::Kind::output; };
  const bool first = isOutput(index.terms[0]);
  if (first == isOutput(index.terms[1])) return std::nullopt;
  const core::LoopTerm &into = index.terms[first ? 0 : 1], &kernel = index.terms[first ? 1 : 0];
  transposed = kernel.factor < 0;
  if (transposed) return into.factor == 1 ? std::optional(WindowAxis{axis, into.loop, kernel.loop, index.divide, -kernel.factor, index.offset}) : std::nullopt;
  if (index.divide != 1 || into.factor < 1) return std::nullopt;
  return WindowAxis{axis, into.loop, kernel.loop, into.factor, kernel.factor, -index.offset};
}

// The tests around a read against a window: that its place is a whole step, for each dimension with steps, and nothing else.
bool stepsTested(const Expression& expression, int node, const WindowRead& made) {
  std::vector<std::pair<Linear, std::int64_t>> wanted, found;
  for (const WindowAxis& one : made.windows) {
    if (!made.against || one.stride == 1) continue;
    Linear place{one.low, {{one.into, 1}}};
    place.factors[one.kernel] -= one.dilation;
    wanted.emplace_back(place, one.stride);
  }
  while (&at(expression, node) != made.read) {
    const Node& select = at(expression, node);
    if (select.kind != Node::Kind::select || !isZero(expression, select.c)) return false;
    const Node& condition = at(expression, select.a);
    if (condition.kind != Node::Kind::binary || condition.function != Function::equal || !isZero(expression, condition.b)) return false;
    const Node& rest = at(expression, condition.a);
    if (rest.kind != Node::Kind::binary || rest.function != Function::floorModulo || at(expression, rest.b).kind != Node::Kind::constant) return false;
    const auto place = linear(expression, rest.a);
    if (!place) return false;
    found.emplace_back(*place, static_cast<std::int64_t>(at(expression, rest.b).value));
    node = select.b;
  }
  return found.size() == wanted.size() && std::all_of(wanted.begin(), wanted.end(), [&](const auto& one) { return std::find(found.begin(), found.end(), one) != found.end(); });
}

}  // namespace

std::optional<WindowRead> windowReadAt(const Expression& expression, int node) {
  int inner = node;
  while (at(expression, inner).kind == Node::Kind::select) inner = at(expression, inner).b;
  WindowRead made{.read = &at(expression, inner), .windows = {}};
  if (made.read->kind != Node::Kind::read || made.read->otherwise < 0 || at(expression, made.read->otherwise).kind != Node::Kind::constant) return std::nullopt;
  made.beyond = at(expression, made.read->otherwise).value;
  for (std::size_t axis = 0; axis < made.read->axes.size(); ++axis) {
    const AxisIndex& index = made.read->axes[axis];
    if (index.identity()) continue;
    bool against = false;
    const auto one = windowAxisOf(expression, index, axis, against);
    if (!one || (!made.windows.empty() && against != made.against)) return std::nullopt;
    made.against = against;
    made.windows.push_back(*one);
  }
  if (made.windows.empty() || !stepsTested(expression, node, made)) return std::nullopt;
  return made;
}

}  // namespace executor
