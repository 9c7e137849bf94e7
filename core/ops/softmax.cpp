#include "core/ops/builder.h"
#include "core/ops/catalogue.h"
#include "core/ops/example.h"
#include "core/ops/expression_builder.h"
#include "core/ops/fit.h"
#include "core/ops/part.h"
#include "core/ops/require.h"

// Along one dimension; stable, since the greatest is taken off first. Where the dimension is split, the maximum is
// reduced as a maximum and the sum as a sum.

namespace core {
namespace {

std::vector<TensorId> expand(GraphBuilder& build, const OperatorView& op) {
  requireInputs(op, 1);
  requireFloating(op, 0);
  requireDim(op, 0, only(op, "dim"));
  const Shape& over = op.dims("dim");
  const TensorId most = addPart(build, op, "max", "reduce_max", {op.input(0)}, {{"dims", over}});
  const TensorId share = addPart(build, op, "exp", "shifted_exp", {op.input(0), most});
  const TensorId whole = addPart(build, op, "sum", "reduce_sum", {share}, {{"dims", over}});
  return {addPart(build, op, "divide", "divide", {share, whole})};
}

// y * (dy - sum(y * dy))
std::vector<TensorId> gradient(GraphBuilder& build, const GradientView& at) {
  const TensorId y = at.outputs[0], dy = at.outputGradients[0];
  const TensorId inner = build.addOne("sum_product", {y, dy}, {{"dims", at.op.dims("dim")}});
  return {build.addOne("softmax_gradient", {y, dy, inner})};
}

Expression sumProduct(const OperatorView& op) {
  requireInputs(op, 2);
  requireSameType(op);
  requireFloating(op, 0);
  const Shape& over = op.dims("dims");
  ExpressionBuilder y(op, {"a", "b"});
  y.outputLoops(without(op.shape(0), over));
  y.reducedLoops(over, Reduction::sum);
  y.result(reduce(Reduction::sum, y.read(0) * y.read(1), over), op.dtype(0));
  return y.take();
}

std::vector<TensorId> sumProductGradient(GraphBuilder& build, const GradientView& at) {
  const TensorId dy = at.outputGradients[0];
  return {fitTo(build, build.times(at.op.input(1), dy), at.op.shape(0)),
          fitTo(build, build.times(at.op.input(0), dy), at.op.shape(1))};
}

Expression softmaxGradient(const OperatorView& op) {
  requireInputs(op, 3);
  requireSameType(op);
  ExpressionBuilder y(op, {"y", "dy", "inner"});
  y.outputLoops(op.shape(0));
  y.result(y.read(0) * (y.read(1) - y.read(2)), op.dtype(0), "dx");
  return y.take();
}

Graph make(std::string_view shape, std::string_view over) {
  return example([&](GraphBuilder& build) {
    const TensorId x = build.input("x", shape);
    return build.softmax(x, build.shape(over)[0]);
  });
}

std::vector<Graph> examples() {
  return {make("a:4 b:6", "b"), make("a:5 b:3 c:2", "a")};
}

std::vector<Graph> sumProductExamples() {
  return {example([](GraphBuilder& build) {
    const TensorId a = build.input("a", "i:5 k:6"), b = build.input("b", "i k");
    return build.addOne("sum_product", {a, b}, {{"dims", build.shape("k")}});
  })};
}

std::vector<Graph> gradientExamples() {
  return {example([](GraphBuilder& build) {
    const TensorId y = build.input("y", "a:4 b:5"), dy = build.input("dy", "a b"), inner = build.input("inner", "a");
    return build.addOne("softmax_gradient", {y, dy, inner});
  })};
}

}  // namespace

const Op& softmaxOp() {
  static const Op op{
      .name = "softmax",
      .summary = "Shares along a dimension: exp(x), divided by its sum.",
      .text = "y[*i,k] = exp(x[*i,k] - m[*i]) / s[*i]; m[*i] = max(k) x[*i,k]; s[*i] = sum(k) exp(x[*i,k] - m[*i])",
      .domain = "nn",
      .expand = expand,
      .gradient = gradient,
      .examples = examples};
  return op;
}

const Op& sumProductOp() {
  static const Op op{.name = "sum_product",
                     .summary = "The sum over dimensions of a product.",
                     .text = "y[*i] = sum(*k) a[*i,*k] * b[*i,*k]",
                     .domain = "nn",
                     .expression = sumProduct,
                     .gradient = sumProductGradient,
                     .examples = sumProductExamples};
  return op;
}

const Op& softmaxGradientOp() {
  static const Op op{.name = "softmax_gradient",
                     .summary = "The backward step of softmax, its inner product given.",
                     .text = "dx[*i,k] = y[*i,k] * (dy[*i,k] - inner[*i])",
                     .domain = "nn",
                     .expression = softmaxGradient,
                     .examples = gradientExamples};
  return op;
}

}  // namespace core
