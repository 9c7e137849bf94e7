#include <algorithm>

#include "core/ops/builder.h"
#include "core/ops/catalogue.h"
#include "core/ops/example.h"
#include "core/ops/expression_builder.h"
#include "core/ops/fit.h"
#include "core/ops/require.h"

// Neighbouring dimensions become one, major to minor: x[d / B, d % B].

namespace core {
namespace {

void requireNeighbours(const OperatorView& op, const Shape& dims) {
  const Shape& shape = op.shape(0);
  const auto first = std::find(shape.begin(), shape.end(), dims.front());
  if (static_cast<std::size_t>(shape.end() - first) < dims.size() || !std::equal(dims.begin(), dims.end(), first))
    refuse(op, shapeText(op.graph(), dims) + " do not stand side by side in " + shapeText(op.graph(), shape),
           "transpose first");
}

Expression expression(const OperatorView& op) {
  requireInputs(op, 1);
  const Shape& dims = op.dims("dims");
  const DimId into = only(op, "into");
  if (dims.empty()) refuse(op, "no dimensions to merge", "one or more");
  std::int64_t count = 1;
  for (DimId dim : dims) {
    requireDim(op, 0, dim);
    count *= op.size(dim);
  }
  requireNeighbours(op, dims);
  if (!holds(dims, into)) requireNoDim(op, 0, into);
  requireSize(op, into, count, "the product of what is merged, " + shapeText(op.graph(), dims));
  ExpressionBuilder y(op, {"x"});
  y.outputLoops(without(replaced(op.shape(0), dims[0], {into}), without(dims, {dims[0], into})));
  std::vector<AxisIndex> axes;
  for (DimId dim : op.shape(0)) {
    AxisIndex index = ExpressionBuilder::at(y.loopOver(holds(dims, dim) ? into : dim));
    if (holds(dims, dim)) {
      count = std::max<std::int64_t>(1, count / std::max<std::int64_t>(1, op.size(dim)));
      index.divide = count;
      if (dim != dims.front()) index.modulo = op.size(dim);
    }
    axes.push_back(std::move(index));
  }
  y.result(y.read(0, std::move(axes)), op.dtype(0));
  return y.take();
}

std::vector<TensorId> gradient(GraphBuilder& build, const GradientView& at) {
  return {build.split(at.outputGradients[0], only(at.op, "into"), at.op.dims("dims"))};
}

std::vector<Graph> examples() {
  return {example([](GraphBuilder& build) {
            const TensorId x = build.input("x", "a:4 b:3 e:2");
            return build.merge(x, build.shape("a b"), build.dim("d", 12));
          }),
          example([](GraphBuilder& build) {
            const TensorId x = build.input("x", "e:3 a:5 b:3 c:2");
            return build.merge(x, build.shape("a b c"), build.dim("d", 30));
          })};
}

}  // namespace

const Op& mergeOp() {
  static const Op op{.name = "merge",
                     .summary = "Merges neighbouring dimensions into one, major to minor.",
                     .text = "y[d] = x[d / B, d % B]",
                     .domain = "shape",
                     .expression = expression,
                     .gradient = gradient,
                     .examples = examples};
  return op;
}

}  // namespace core
