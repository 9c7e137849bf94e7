#include "executor/kernels/product_shape.h"

#include <algorithm>

namespace executor {
namespace {

using core::Expression;
using core::Node;

const Node& at(const Expression& expression, int node) { return expression.nodes[static_cast<std::size_t>(node)]; }

bool plain(const Node& node) {
  return node.kind == Node::Kind::read && node.otherwise < 0 && std::all_of(node.axes.begin(), node.axes.end(), [](const core::AxisIndex& axis) { return axis.identity(); });
}

// The two reads of sum(...) a * b.
std::optional<std::array<const Node*, 2>> factors(const Expression& expression) {
  if (expression.outputs.size() != 1) return std::nullopt;
  const Node& root = at(expression, expression.outputs[0].root);
  if (root.kind != Node::Kind::reduce || root.reduction != core::Reduction::sum) return std::nullopt;
  const Node& product = at(expression, root.a);
  if (product.kind != Node::Kind::binary || product.function != core::Function::multiply) return std::nullopt;
  const Node &a = at(expression, product.a), &b = at(expression, product.b);
  if (!plain(a) || !plain(b) || a.operand == b.operand) return std::nullopt;
  return std::array{&a, &b};
}

void addStrides(const Held& held, const std::vector<int>& loops, const KernelRequest& request, std::size_t which, std::vector<ProductDim>& dims, std::int64_t& base) {
  for (std::size_t d = 0; d < loops.size(); ++d) {
    const auto loop = static_cast<std::size_t>(loops[d]);
    base += (request.loops[loop].start - held.ranges[d].start) * held.strides[d];
    dims[loop].strides[which] += held.strides[d];
  }
}

std::vector<int> loopsOf(const Node& read) {
  std::vector<int> loops;
  for (const core::AxisIndex& axis : read.axes) loops.push_back(axis.terms[0].loop);
  return loops;
}

// Sorted by the strides of one of the three, then neighbours that are one run in all of them joined.
void join(std::vector<ProductDim>& dims, std::size_t by) {
  std::stable_sort(dims.begin(), dims.end(), [&](const ProductDim& a, const ProductDim& b) { return a.strides[by] > b.strides[by]; });
  for (std::size_t i = dims.size(); i-- > 1;) {
    ProductDim &outer = dims[i - 1], &inner = dims[i];
    bool one = true;
    for (std::size_t t = 0; t < 3; ++t) one &= outer.strides[t] == inner.strides[t] * inner.size;
    if (!one) continue;
    inner.size *= outer.size;
    dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(i - 1));
  }
}

}  // namespace

std::optional<ProductShape> productShapeOf(const KernelRequest& request) {
  const Expression& expression = *request.expression;
  const auto reads = factors(expression);
  if (!reads) return std::nullopt;
  std::vector<ProductDim> dims(request.loops.size());
  for (std::size_t l = 0; l < dims.size(); ++l) {
    dims[l].size = request.loops[l].size;
    if (dims[l].size == 0) return std::nullopt;
  }
  ProductShape shape;
  for (std::size_t i = 0; i < 2; ++i) {
    shape.operands[i] = static_cast<std::size_t>((*reads)[i]->operand);
    addStrides(request.inputs[shape.operands[i]], loopsOf(*(*reads)[i]), request, i, dims, shape.base[i]);
  }
  addStrides(request.outputs[0], expression.outputs[0].loops, request, 2, dims, shape.base[2]);
  for (std::size_t l = 0; l < dims.size(); ++l) {
    const ProductDim& dim = dims[l];
    const bool left = dim.strides[0] != 0, right = dim.strides[1] != 0, result = dim.strides[2] != 0;
    if (result != (expression.loops[l].kind == core::Loop::Kind::output) || (!left && !right)) return std::nullopt;
    if (!result && !(left && right)) return std::nullopt;  // summed in one operand alone
    if (dim.size == 1) continue;
    (!result ? shape.k : left && right ? shape.batch : left ? shape.m : shape.n).push_back(dim);
  }
  join(shape.batch, 2);
  join(shape.m, 2);
  join(shape.n, 2);
  join(shape.k, 1);
  if (shape.k.empty()) return std::nullopt;
  // What lies innermost in the result should be a column.
  const auto innermost = [](const std::vector<ProductDim>& some) { return some.empty() ? std::int64_t{1} << 60 : some.back().strides[2]; };
  if (innermost(shape.m) < innermost(shape.n)) {
    std::swap(shape.m, shape.n);
    std::swap(shape.operands[0], shape.operands[1]);
    std::swap(shape.base[0], shape.base[1]);
    for (auto* group : {&shape.batch, &shape.m, &shape.n, &shape.k})
      for (ProductDim& dim : *group) std::swap(dim.strides[0], dim.strides[1]);
  }
  return shape;
}

}  // namespace executor
