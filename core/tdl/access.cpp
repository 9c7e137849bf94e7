#include "core/tdl/access.h"

#include <algorithm>
#include <cassert>

namespace core {
namespace {

// --- which loops may be split ---

// Marks loops whose reduction reaches the root through operations that are linear in it.
void markLinear(const Expression& expression, int at, bool atRoot, std::vector<bool>& splittable) {
  const Node& node = expression.nodes[at];
  switch (node.kind) {
    case Node::Kind::reduce:
      if (node.reduction != Reduction::sum && !atRoot) return;
      for (int loop : node.loops) splittable[loop] = true;
      if (node.reduction == Reduction::sum) markLinear(expression, node.a, false, splittable);
      return;
    case Node::Kind::read:
      for (const AxisIndex& axis : node.axes)
        if (axis.kind == AxisIndex::Kind::lookup && axis.loop >= 0) splittable[axis.loop] = true;
      return;
    case Node::Kind::cast:
      if (isFloating(node.dtype)) markLinear(expression, node.a, false, splittable);
      return;
    case Node::Kind::unary:
      if (node.function == Function::negate || node.function == Function::identity) markLinear(expression, node.a, false, splittable);
      return;
    case Node::Kind::binary:
      if (node.function == Function::multiply) {
        if (expression.nodes[node.b].kind == Node::Kind::constant) markLinear(expression, node.a, false, splittable);
        if (expression.nodes[node.a].kind == Node::Kind::constant) markLinear(expression, node.b, false, splittable);
      }
      if (node.function == Function::divide && expression.nodes[node.b].kind == Node::Kind::constant)
        markLinear(expression, node.a, false, splittable);
      return;
    default: return;
  }
}

// --- what an axis of an operand needs ---

struct AxisNeed {
  AxisList axes;
  Window window;
};

std::int64_t ceilDivide(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// Do blocks of the loop, seen through the window, tile the dimension exactly as its own blocks do?
bool blocksAgree(const Window& window, std::int64_t size, const AxisList& axes, const Mesh& mesh) {
  if (window.low != 0 || window.high != window.factor - 1) return false;
  if (window.factor != 1 && window.divide != 1) return false;
  if (window.divide == 1 ? window.extent * window.factor != size : window.extent != size * window.divide) return false;
  std::int64_t loop = window.extent, own = size;
  for (AxisId axis : axes) {
    loop = ceilDivide(loop, mesh.size(axis));
    own = ceilDivide(own, mesh.size(axis));
    if (window.divide == 1 ? loop * window.factor != own : loop != own * window.divide) return false;
  }
  return true;
}

// The window through which term `t` moves over the axis while the other loops run over all they have.
Window windowOf(const Expression& expression, const AxisIndex& index, std::size_t t) {
  Window window{.extent = expression.loops[index.terms[t].loop].extent, .factor = index.terms[t].factor, .low = index.offset, .high = index.offset, .divide = index.divide};
  for (std::size_t other = 0; other < index.terms.size(); ++other) {
    if (other == t) continue;
    const std::int64_t reach = index.terms[other].factor * (expression.loops[index.terms[other].loop].extent - 1);
    (reach >= 0 ? window.high : window.low) += reach;
  }
  return window;
}

AxisNeed needOf(const Expression& expression, const AxisIndex& index, std::int64_t size, const LoopAxes& loopAxes, const Mesh& mesh) {
  if (index.kind == AxisIndex::Kind::whole) return {};
  if (index.kind == AxisIndex::Kind::lookup) return index.loop >= 0 ? AxisNeed{loopAxes[index.loop], {}} : AxisNeed{};
  int split = -1;
  for (std::size_t t = 0; t < index.terms.size(); ++t) {
    if (loopAxes[index.terms[t].loop].empty()) continue;
    if (split >= 0) return {};
    split = static_cast<int>(t);
  }
  if (split < 0) return {};
  const AxisList& axes = loopAxes[index.terms[split].loop];
  if (index.modulo != 0 || index.terms[split].factor < 0) return {};
  if (index.identity() && expression.loops[index.terms[0].loop].extent == size) return {axes, {}};
  const Window window = windowOf(expression, index, split);
  if (blocksAgree(window, size, axes, mesh)) return {axes, {}};
  return {axes, window};
}

AxisNeed join(const AxisNeed& a, const AxisNeed& b) {
  if (a.axes == b.axes && a.window == b.window) return a;
  if (a.axes != b.axes || a.axes.empty()) return {};
  Window first = a.window, second = b.window;
  if (first.plain() != second.plain()) {  // a plain read beside a window over a loop of the same extent
    Window& plain = first.plain() ? first : second;
    const Window& other = first.plain() ? second : first;
    plain = {.extent = other.extent, .factor = 1, .low = 0, .high = 0, .divide = 1};
  }
  if (first.extent != second.extent || first.factor != second.factor || first.divide != second.divide) return {};
  return {a.axes, {first.extent, first.factor, std::min(first.low, second.low), std::max(first.high, second.high), first.divide}};
}

// --- partial results ---

// How a node depends on the partial operands: not at all, linearly, or in a way that needs whole values.
enum class Degree { none, linear, whole, zero };

Degree degreeOf(const Expression& expression, int at, std::uint64_t partial, const std::vector<Degree>& known) {
  const Node& node = expression.nodes[at];
  const auto of = [&](int child) { return known[child]; };
  const auto sum = [](Degree a, Degree b) {
    if (a == Degree::zero) return b;
    if (b == Degree::zero) return a;
    return a == b ? a : Degree::whole;
  };
  switch (node.kind) {
    case Node::Kind::constant: return node.value == 0 ? Degree::zero : Degree::none;
    case Node::Kind::loop:
    case Node::Kind::random: return Degree::none;
    case Node::Kind::read: {
      for (const AxisIndex& axis : node.axes)
        if (axis.node >= 0 && of(axis.node) != Degree::none) return Degree::whole;
      const Degree self = partial >> node.operand & 1u ? Degree::linear : Degree::none;
      return node.otherwise < 0 ? self : sum(self, of(node.otherwise));
    }
    case Node::Kind::unary:
      if (of(node.a) == Degree::none || of(node.a) == Degree::zero) return Degree::none;
      return node.function == Function::negate || node.function == Function::identity ? of(node.a) : Degree::whole;
    case Node::Kind::cast: return isFloating(node.dtype) || of(node.a) != Degree::linear ? of(node.a) : Degree::whole;
    case Node::Kind::binary: {
      const Degree a = of(node.a), b = of(node.b);
      if (a == Degree::whole || b == Degree::whole) return Degree::whole;
      const bool free = a != Degree::linear && b != Degree::linear;
      if (node.function == Function::add || node.function == Function::subtract) return sum(a, b);
      if (free) return Degree::none;
      if (node.function == Function::multiply) return a == Degree::linear && b == Degree::linear ? Degree::whole : Degree::linear;
      if (node.function == Function::divide) return b == Degree::linear ? Degree::whole : Degree::linear;
      return Degree::whole;
    }
    case Node::Kind::select:
      if (of(node.a) == Degree::linear || of(node.a) == Degree::whole) return Degree::whole;
      return sum(of(node.b), of(node.c));
    case Node::Kind::reduce:
      return node.reduction == Reduction::sum || of(node.a) == Degree::none ? of(node.a) : Degree::whole;
  }
  return Degree::whole;
}

bool linearIn(const Expression& expression, std::uint64_t partial) {
  std::vector<Degree> known(expression.nodes.size());
  for (std::size_t i = 0; i < known.size(); ++i) known[i] = degreeOf(expression, static_cast<int>(i), partial, known);
  return std::all_of(expression.outputs.begin(), expression.outputs.end(),
                     [&](const ExpressionOutput& output) { return known[output.root] == Degree::linear; });
}

// A partial max passes where values are only moved, or reduced by max again.
bool movesOnly(const Expression& expression, int at, Reduction reduction) {
  const Node& node = expression.nodes[at];
  if (node.kind == Node::Kind::read)
    return node.otherwise < 0 && std::none_of(node.axes.begin(), node.axes.end(), [](const AxisIndex& axis) { return axis.node >= 0; });
  return node.kind == Node::Kind::reduce && node.reduction == reduction && movesOnly(expression, node.a, reduction);
}

}  // namespace

std::vector<bool> splittableLoops(const Expression& expression) {
  std::vector<bool> splittable(expression.loops.size(), false);
  for (const ExpressionOutput& output : expression.outputs) markLinear(expression, output.root, true, splittable);
  // With several outputs a reduced loop has to be reduced in each of them.
  if (expression.outputs.size() > 1) std::fill(splittable.begin(), splittable.end(), false);
  for (std::size_t loop = 0; loop < splittable.size(); ++loop)
    if (expression.loops[loop].kind == Loop::Kind::output) splittable[loop] = true;
  return splittable;
}

Placement requiredOperand(const Expression& expression, int operand, std::span<const std::int64_t> sizes, const LoopAxes& loopAxes, const Mesh& mesh) {
  std::vector<AxisNeed> needs(sizes.size());
  bool first = true;
  for (const Node& node : expression.nodes) {
    if (node.kind != Node::Kind::read || node.operand != operand) continue;
    assert(node.axes.size() == sizes.size() && "a read names every axis of its operand");
    for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
      const AxisNeed need = needOf(expression, node.axes[axis], sizes[axis], loopAxes, mesh);
      needs[axis] = first ? need : join(needs[axis], need);
    }
    first = false;
  }
  Placement placement{Sharding::replicated(sizes.size()), {}};
  AxisSet used;
  bool windowed = false;
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    const bool clash = std::any_of(needs[axis].axes.begin(), needs[axis].axes.end(), [&](AxisId id) { return used.contains(id); });
    if (clash) needs[axis] = {};  // x[i,i]: one axis of the mesh cannot split both; the later is whole
    for (AxisId id : needs[axis].axes) used.insert(id);
    placement.sharding.dims[axis] = needs[axis].axes;
    windowed |= !needs[axis].window.plain();
  }
  if (windowed)
    for (const AxisNeed& need : needs) placement.windows.push_back(need.window);
  return placement;
}

Sharding producedOutput(const Expression& expression, int output, const LoopAxes& loopAxes) {
  Sharding sharding;
  for (int loop : expression.outputs[output].loops) sharding.dims.push_back(loopAxes[loop]);
  for (std::size_t loop = 0; loop < expression.loops.size(); ++loop) {
    if (expression.loops[loop].kind == Loop::Kind::output) continue;
    for (AxisId axis : loopAxes[loop]) sharding.partial.insert(axis);
    if (!loopAxes[loop].empty()) sharding.reduction = expression.loops[loop].reduction;
  }
  return sharding;
}

std::optional<int> alignedLoop(const Expression& expression, int operand, std::size_t axis, std::int64_t size, const AxisList& axes, const Mesh& mesh) {
  for (const Node& node : expression.nodes) {
    if (node.kind != Node::Kind::read || node.operand != operand) continue;
    const AxisIndex& index = node.axes[axis];
    if (index.kind == AxisIndex::Kind::lookup && index.loop >= 0) return index.loop;
    if (index.kind != AxisIndex::Kind::affine || index.modulo != 0) continue;
    for (std::size_t t = 0; t < index.terms.size(); ++t) {
      const int loop = index.terms[t].loop;
      if (index.identity() && expression.loops[loop].extent == size) return loop;
      if (index.terms[t].factor >= 1 && blocksAgree(windowOf(expression, index, t), size, axes, mesh)) return loop;
    }
  }
  return std::nullopt;
}

std::optional<int> nearbyLoop(const Expression& expression, int operand, std::size_t axis, std::int64_t size, const AxisList& axes, const Mesh& mesh) {
  for (const Node& node : expression.nodes) {
    if (node.kind != Node::Kind::read || node.operand != operand) continue;
    const AxisIndex& index = node.axes[axis];
    if (index.kind != AxisIndex::Kind::affine || index.modulo != 0) continue;
    for (std::size_t t = 0; t < index.terms.size(); ++t) {
      if (index.terms[t].factor < 1 || expression.loops[index.terms[t].loop].kind != Loop::Kind::output) continue;
      const Window window = windowOf(expression, index, t);
      // How far what a block reads may lie from the block itself, in elements of the axis times `divide`.
      const std::int64_t apart = std::max({std::abs(window.extent * window.factor - size * window.divide), std::abs(window.low), std::abs(window.high - (window.factor - 1))});
      if (2 * apart <= paddedBlock(size, axes, mesh) * window.divide) return index.terms[t].loop;
    }
  }
  return std::nullopt;
}

std::optional<std::uint64_t> partialClosure(const Expression& expression, std::uint64_t partial, Reduction reduction) {
  if (reduction != Reduction::sum) {
    for (const ExpressionOutput& output : expression.outputs)
      if (!movesOnly(expression, output.root, reduction)) return std::nullopt;
    return partial;
  }
  if (linearIn(expression, partial)) return partial;
  const std::size_t operands = expression.operands.size();
  std::uint64_t all = partial;
  for (std::size_t i = 0; i < operands; ++i) {
    if (linearIn(expression, partial | std::uint64_t{1} << i)) return partial | std::uint64_t{1} << i;
    all |= std::uint64_t{1} << i;
  }
  if (linearIn(expression, all)) return all;
  return std::nullopt;
}

}  // namespace core
