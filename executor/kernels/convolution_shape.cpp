#include "executor/kernels/convolution_shape.h"

#include <algorithm>
#include <map>

#include "core/tdl/interval.h"

namespace executor {
namespace {

using core::AxisIndex;
using core::Expression;
using core::Function;
using core::Node;
using Dim = ConvolutionSide::Dim;

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

// One spatial dimension: element stride * place + dilation * inner - low of the axis, or the place from the element.
struct Spatial {
  std::size_t axis = 0;  // of the operand that is read through the window
  int into = -1, kernel = -1;
  std::int64_t stride = 1, dilation = 1, low = 0;
};

struct Parts {
  const Node* window = nullptr;  // the read through windows
  const Node* plain = nullptr;   // the other
  bool transposed = false;
  std::vector<Spatial> spatial;
};

// The index through a window, and whether it goes against it.
std::optional<Spatial> spatialOf(const Expression& expression, const AxisIndex& index, std::size_t axis, bool& transposed) {
  if (index.kind != AxisIndex::Kind::affine || index.modulo != 0 || index.terms.size() != 2) return std::nullopt;
  const auto isOutput = [&](const core::LoopTerm& term) { return expression.loops[static_cast<std::size_t>(term.loop)].kind == core::Loop::Kind::output; };
  const bool first = isOutput(index.terms[0]);
  if (first == isOutput(index.terms[1])) return std::nullopt;
  const core::LoopTerm &into = index.terms[first ? 0 : 1], &kernel = index.terms[first ? 1 : 0];
  transposed = kernel.factor < 0;
  if (transposed) return into.factor == 1 ? std::optional(Spatial{axis, into.loop, kernel.loop, index.divide, -kernel.factor, index.offset}) : std::nullopt;
  if (index.divide != 1 || into.factor < 1) return std::nullopt;
  return Spatial{axis, into.loop, kernel.loop, into.factor, kernel.factor, -index.offset};
}

// The tests around a read against a window: that its place is a whole step, for each dimension with steps, and nothing else.
bool stepsTested(const Expression& expression, int node, const Node& read, const Parts& parts) {
  std::vector<std::pair<Linear, std::int64_t>> wanted, found;
  for (const Spatial& one : parts.spatial) {
    if (!parts.transposed || one.stride == 1) continue;
    Linear place{one.low, {{one.into, 1}}};
    place.factors[one.kernel] -= one.dilation;
    wanted.emplace_back(place, one.stride);
  }
  while (&at(expression, node) != &read) {
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

std::optional<Parts> partsOf(const Expression& expression) {
  if (expression.outputs.size() != 1) return std::nullopt;
  const Node& root = at(expression, expression.outputs[0].root);
  if (root.kind != Node::Kind::reduce || root.reduction != core::Reduction::sum) return std::nullopt;
  const Node& product = at(expression, root.a);
  if (product.kind != Node::Kind::binary || product.function != Function::multiply) return std::nullopt;
  Parts parts{.plain = &at(expression, product.b)};
  int inner = product.a;
  while (at(expression, inner).kind == Node::Kind::select) inner = at(expression, inner).b;
  parts.window = &at(expression, inner);
  if (parts.window->kind != Node::Kind::read || parts.plain->kind != Node::Kind::read || parts.window->operand == parts.plain->operand) return std::nullopt;
  if (!isZero(expression, parts.window->otherwise) || parts.plain->otherwise >= 0) return std::nullopt;
  for (const AxisIndex& index : parts.plain->axes)
    if (!index.identity()) return std::nullopt;
  for (std::size_t axis = 0; axis < parts.window->axes.size(); ++axis) {
    const AxisIndex& index = parts.window->axes[axis];
    if (index.identity()) continue;
    bool transposed = false;
    const auto one = spatialOf(expression, index, axis, transposed);
    if (!one || (!parts.spatial.empty() && transposed != parts.transposed)) return std::nullopt;
    parts.transposed = transposed;
    parts.spatial.push_back(*one);
  }
  if (parts.spatial.empty() || parts.spatial.size() > 3 || !stepsTested(expression, product.a, *parts.window, parts)) return std::nullopt;
  return parts;
}

// Where each loop lies in the windowed operand, in the plain one and in the result: its stride there, none where it does not.
class Shaping {
 public:
  Shaping(const KernelRequest& request, const Parts& parts) : request_(request), parts_(parts), window_(request.inputs[static_cast<std::size_t>(parts.window->operand)]), plain_(request.inputs[static_cast<std::size_t>(parts.plain->operand)]) {
    strides_.resize(request.loops.size());
    for (std::size_t d = 0; d < parts.window->axes.size(); ++d)
      if (parts.window->axes[d].identity()) place(0, parts.window->axes[d].terms[0].loop, window_, d);
    for (std::size_t d = 0; d < parts.plain->axes.size(); ++d) place(1, parts.plain->axes[d].terms[0].loop, plain_, d);
    for (std::size_t d = 0; d < request.expression->outputs[0].loops.size(); ++d) place(2, request.expression->outputs[0].loops[d], request.outputs[0], d);
  }

  std::optional<ConvolutionShape> run() {
    for (const core::Range& range : request_.loops)
      if (range.size == 0) return std::nullopt;
    if (!sortLoops()) return std::nullopt;
    return parts_.transposed ? data() : wideKernel() ? weights() : forward();
  }

 private:
  void place(std::size_t which, int loop, const Held& held, std::size_t d) {
    auto& stride = strides_[static_cast<std::size_t>(loop)][which];
    stride = stride.value_or(0) + held.strides[d];
    bases_[which] += (request_.loops[static_cast<std::size_t>(loop)].start - held.ranges[d].start) * held.strides[d];
  }

  std::int64_t size(int loop) const { return request_.loops[static_cast<std::size_t>(loop)].size; }
  std::int64_t start(int loop) const { return request_.loops[static_cast<std::size_t>(loop)].start; }

  // By what has the loop: all, the windowed operand and the result, the plain one and the result, both operands.
  bool sortLoops() {
    std::vector<bool> spatial(strides_.size(), false);
    for (const Spatial& one : parts_.spatial) {
      for (int loop : {one.into, one.kernel}) {
        if (spatial[static_cast<std::size_t>(loop)]) return false;
        spatial[static_cast<std::size_t>(loop)] = true;
      }
      const auto &into = strides_[static_cast<std::size_t>(one.into)], &kernel = strides_[static_cast<std::size_t>(one.kernel)];
      if (into[0] || into[1] || !into[2] || kernel[0] || !kernel[1] || kernel[2]) return false;
    }
    for (std::size_t l = 0; l < strides_.size(); ++l) {
      if (spatial[l]) continue;
      const bool window = strides_[l][0].has_value(), plain = strides_[l][1].has_value(), result = strides_[l][2].has_value();
      if (window + plain + result < 2) return false;
      (!result ? summed_ : !plain ? batch_ : !window ? made_ : groups_).push_back(static_cast<int>(l));
    }
    return true;
  }

  // A window larger than what it moves over: a gradient of weights.
  bool wideKernel() const {
    std::int64_t kernel = 1, into = 1;
    for (const Spatial& one : parts_.spatial) {
      kernel *= size(one.kernel);
      into *= size(one.into);
    }
    return kernel > into;
  }

  std::vector<Dim> dims(const std::vector<int>& loops, std::size_t which) const {
    std::vector<Dim> found;
    for (int loop : loops) found.push_back({size(loop), *strides_[static_cast<std::size_t>(loop)][which]});
    return found;
  }

  ConvolutionSide side(std::size_t which, const std::vector<const std::vector<int>*>& roles, int Spatial::*spatial) const {
    ConvolutionSide made{.base = bases_[which]};
    for (const auto* role : roles) made.roles.push_back(dims(*role, which));
    if (spatial)
      for (const Spatial& one : parts_.spatial) made.roles.push_back(dims({one.*spatial}, which));
    return made;
  }

  // The windowed operand, its elements from `begin` on; padding is what is asked for beyond what is held.
  bool addWindow(ConvolutionSide& made, const Spatial& one, std::int64_t begin, std::int64_t end) const {
    if (end <= begin) return false;
    const core::Range& held = window_.ranges[one.axis];
    made.roles.push_back({{end - begin, window_.strides[one.axis]}});
    made.base += (begin - held.start) * window_.strides[one.axis];
    return true;
  }

  // Image and window as the forward sum reads them: `image` gets its spatial dims.
  bool readForward(ConvolutionShape& shape) const {
    for (const Spatial& one : parts_.spatial) {
      const core::Range& held = window_.ranges[one.axis];
      const std::int64_t first = one.stride * start(one.into) + one.dilation * start(one.kernel) - one.low;
      const std::int64_t last = first + one.stride * (size(one.into) - 1) + one.dilation * (size(one.kernel) - 1);
      const std::int64_t begin = std::max(first, held.start), end = std::min(last + 1, held.end());
      if (!addWindow(shape.image, one, begin, end)) return false;
      shape.low.push_back(begin - first);
      shape.high.push_back(last + 1 - end);
    }
    return true;
  }

  std::optional<ConvolutionShape> forward() const {
    ConvolutionShape shape{.direction = ConvolutionShape::Direction::forward, .operands = {parts_.window->operand, parts_.plain->operand, -1}};
    shape.image = side(0, {&batch_, &groups_, &summed_}, nullptr);
    if (!readForward(shape)) return std::nullopt;
    shape.weights = side(1, {&groups_, &made_, &summed_}, &Spatial::kernel);
    shape.made = side(2, {&batch_, &groups_, &made_}, &Spatial::into);
    for (const Spatial& one : parts_.spatial) {
      shape.strides.push_back(one.stride);
      shape.dilations.push_back(one.dilation);
    }
    return shape;
  }

  // The plain operand moves over the image, and the places of the sum are those of the weights.
  std::optional<ConvolutionShape> weights() const {
    ConvolutionShape shape{.direction = ConvolutionShape::Direction::weights, .operands = {parts_.window->operand, -1, parts_.plain->operand}};
    shape.image = side(0, {&summed_, &groups_, &batch_}, nullptr);
    if (!readForward(shape)) return std::nullopt;
    shape.made = side(1, {&summed_, &groups_, &made_}, &Spatial::kernel);
    shape.weights = side(2, {&groups_, &made_, &batch_}, &Spatial::into);
    for (const Spatial& one : parts_.spatial) {
      shape.strides.push_back(one.dilation);
      shape.dilations.push_back(one.stride);
    }
    return shape;
  }

  std::optional<ConvolutionShape> data() const {
    ConvolutionShape shape{.direction = ConvolutionShape::Direction::data, .operands = {-1, parts_.plain->operand, parts_.window->operand}};
    shape.made = side(0, {&batch_, &groups_, &summed_}, nullptr);
    for (const Spatial& one : parts_.spatial) {
      const core::Range& held = window_.ranges[one.axis];
      const std::int64_t h = start(one.into), u = start(one.kernel);
      const std::int64_t last = h + size(one.into) - 1, most = u + size(one.kernel) - 1;
      const std::int64_t begin = std::max(held.start, -core::floorDivide(-(h + one.low - one.dilation * most), one.stride));
      const std::int64_t end = std::min(held.end(), core::floorDivide(last + one.low - one.dilation * u, one.stride) + 1);
      if (!addWindow(shape.made, one, begin, end)) return std::nullopt;
      const std::int64_t reach = one.dilation * (size(one.kernel) - 1) + 1;
      const std::int64_t low = h + one.low - one.stride * begin - one.dilation * u;
      const std::int64_t high = one.stride * (end - begin - 1) + reach - size(one.into) - low;
      if (low < 0 || high <= -one.stride) return std::nullopt;  // elements of the image that no window sees
      shape.low.push_back(low);
      shape.high.push_back(std::max<std::int64_t>(high, 0));
      shape.strides.push_back(one.stride);
      shape.dilations.push_back(one.dilation);
    }
    shape.weights = side(1, {&groups_, &summed_, &made_}, &Spatial::kernel);
    shape.image = side(2, {&batch_, &groups_, &made_}, &Spatial::into);
    return shape;
  }

  const KernelRequest& request_;
  const Parts& parts_;
  const Held &window_, &plain_;
  std::vector<std::array<std::optional<std::int64_t>, 3>> strides_;
  std::array<std::int64_t, 3> bases_{};
  std::vector<int> groups_, batch_, made_, summed_;
};

}  // namespace

std::optional<ConvolutionShape> convolutionShapeOf(const KernelRequest& request) {
  const auto parts = partsOf(*request.expression);
  return parts ? Shaping(request, *parts).run() : std::nullopt;
}

}  // namespace executor
