#include "core/ops/builder.h"
#include "core/ops/catalogue.h"
#include "core/ops/example.h"
#include "core/ops/expression_builder.h"
#include "core/ops/fit.h"
#include "core/ops/require.h"

// One dimension becomes several, major to minor: x[a*B + b] for a dimension of A*B elements.

namespace core {
namespace {

Expression expression(const OperatorView& op) {
  requireInputs(op, 1);
  const DimId dim = only(op, "dim");
  const Shape& into = op.dims("into");
  requireDim(op, 0, dim);
  std::int64_t count = 1;
  for (DimId part : into) {
    if (part != dim) requireNoDim(op, 0, part);
    count *= op.size(part);
  }
  requireSize(op, dim, count, "the product of what it is split into, " + shapeText(op.graph(), into));
  ExpressionBuilder y(op, {"x"});
  y.outputLoops(replaced(op.shape(0), dim, into));
  AxisIndex index;
  for (DimId part : into) {
    count = op.size(part) == 0 ? 0 : count / op.size(part);
    index.terms.push_back({y.loopOver(part), count});
  }
  y.result(y.read(0, dim, index), op.dtype(0));
  return y.take();
}

std::vector<TensorId> gradient(GraphBuilder& build, const GradientView& at) {
  return {build.merge(at.outputGradients[0], at.op.dims("into"), only(at.op, "dim"))};
}

std::vector<Graph> examples() {
  return {example([](GraphBuilder& build) {
            const TensorId x = build.input("x", "d:12 e:3");
            return build.split(x, build.dim("d", 12), build.shape("a:4 b:3"));
          }),
          example([](GraphBuilder& build) {
            const TensorId x = build.input("x", "e:2 d:30");
            return build.split(x, build.dim("d", 30), build.shape("a:5 b:3 c:2"));
          })};
}

}  // namespace

const Op& splitOp() {
  static const Op op{.name = "split",
                     .summary = "Splits one dimension into several, major to minor.",
                     .text = "y[a,b] = x[a*B + b]",
                     .domain = "shape",
                     .expression = expression,
                     .gradient = gradient,
                     .examples = examples};
  return op;
}

}  // namespace core
