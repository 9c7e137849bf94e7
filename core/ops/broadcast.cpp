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
  const Shape& shape = op.dims("shape");
  for (DimId dim : op.shape(0))
    if (!holds(shape, dim))
      refuse(op, "the result lacks dimension \"" + op.dimName(dim) + "\" of the input",
             "name it, or sum over it first");
  ExpressionBuilder y(op, {"x"});
  y.outputLoops(shape);
  y.result(y.read(0), op.dtype(0));
  return y.take();
}

std::vector<TensorId> gradient(GraphBuilder& build, const GradientView& at) {
  return {fitTo(build, at.outputGradients[0], at.op.shape(0))};
}

Graph make(std::string_view from, std::string_view to) {
  return example([&](GraphBuilder& build) {
    const TensorId x = build.input("x", from);
    return build.broadcast(x, build.shape(to));
  });
}

std::vector<Graph> examples() {
  return {make("b:3", "a:4 b"), make("a:5 b:7", "b c:2 a")};
}

}  // namespace

const Op& broadcastOp() {
  static const Op op{
      .name = "broadcast",
      .summary = "Repeats a tensor along further dimensions; attribute \"shape\" names all of the result.",
      .text = "y[*a,*b] = x[*b]",
      .domain = "shape",
      .expression = expression,
      .gradient = gradient,
      .examples = examples};
  return op;
}

}  // namespace core
