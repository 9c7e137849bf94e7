#include "core/ops/builder.h"
#include "core/ops/catalogue.h"
#include "core/ops/example.h"
#include "core/ops/expression_builder.h"
#include "core/ops/fit.h"
#include "core/ops/require.h"

namespace core {
namespace {

Expression expression(const OperatorView& op) {
  requireInputs(op, 1);
  const Shape& order = op.dims("order");
  for (DimId dim : order) requireDim(op, 0, dim);
  if (order.size() != op.shape(0).size())
    refuse(op, "the new order " + shapeText(op.graph(), order) + " is not one of " + shapeText(op.graph(), op.shape(0)),
           "name every dimension once");
  ExpressionBuilder y(op, {"x"});
  y.outputLoops(order);
  y.result(y.read(0), op.dtype(0));
  return y.take();
}

std::vector<TensorId> gradient(GraphBuilder& build, const GradientView& at) {
  return {build.transpose(at.outputGradients[0], at.op.shape(0))};
}

Graph make(std::string_view from, std::string_view to) {
  return example([&](GraphBuilder& build) {
    const TensorId x = build.input("x", from);
    return build.transpose(x, build.shape(to));
  });
}

std::vector<Graph> examples() {
  return {make("a:4 b:6", "b a"), make("a:5 b:3 c:2", "c a b")};
}

}  // namespace

const Op& transposeOp() {
  static const Op op{.name = "transpose",
                     .summary = "Puts the dimensions in another order.",
                     .text = "y[j,i] = x[i,j]",
                     .domain = "shape",
                     .expression = expression,
                     .gradient = gradient,
                     .examples = examples};
  return op;
}

}  // namespace core
