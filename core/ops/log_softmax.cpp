#include "core/ops/builder.h"
#include "core/ops/catalogue.h"
#include "core/ops/example.h"
#include "core/ops/expression_builder.h"
#include "core/ops/fit.h"
#include "core/ops/part.h"
#include "core/ops/require.h"

// The logarithm of softmax, without the way over shares that may vanish.

namespace core {
namespace {

std::vector<TensorId> expand(GraphBuilder& build, const OperatorView& op) {
  requireInputs(op, 1);
  requireFloating(op, 0);
  requireDim(op, 0, only(op, "dim"));
  const Shape& over = op.dims("dim");
  const TensorId most = addPart(build, op, "max", "reduce_max", {op.input(0)}, {{"dims", over}});
  const TensorId sum = addPart(build, op, "sum_exp", "sum_exp", {op.input(0), most}, {{"dims", over}});
  const TensorId log = addPart(build, op, "log", "log", {sum});
  const TensorId whole = addPart(build, op, "log_sum_exp", "add", {log, most});
  return {addPart(build, op, "subtract", "subtract", {op.input(0), whole})};
}

// dy - exp(y) * sum(dy)
std::vector<TensorId> gradient(GraphBuilder& build, const GradientView& at) {
  const TensorId dy = at.outputGradients[0];
  const TensorId sum = build.sum(dy, at.op.dims("dim"));
  return {build.addOne("log_softmax_gradient", {at.outputs[0], dy, sum})};
}

Expression backward(const OperatorView& op) {
  requireInputs(op, 3);
  requireSameType(op);
  ExpressionBuilder y(op, {"y", "dy", "sum"});
  y.outputLoops(op.shape(0));
  y.result(y.read(1) - apply(Function::exp, y.read(0)) * y.read(2), op.dtype(0), "dx");
  return y.take();
}

Graph make(std::string_view shape, std::string_view over) {
  return example([&](GraphBuilder& build) {
    const TensorId x = build.input("x", shape);
    return build.logSoftmax(x, build.shape(over)[0]);
  });
}

std::vector<Graph> examples() {
  return {make("a:4 b:6", "b"), make("a:5 b:3 c:2", "a")};
}

std::vector<Graph> gradientExamples() {
  return {example([](GraphBuilder& build) {
    const TensorId y = build.input("y", "a:4 b:5"), dy = build.input("dy", "a b"), sum = build.input("sum", "a");
    return build.addOne("log_softmax_gradient", {y, dy, sum});
  })};
}

}  // namespace

const Op& logSoftmaxOp() {
  static const Op op{.name = "log_softmax",
                     .summary = "The logarithm of softmax.",
                     .text = "y[*i,k] = x[*i,k] - (m[*i] + log(sum(k) exp(x[*i,k] - m[*i]))); m[*i] = max(k) x[*i,k]",
                     .domain = "nn",
                     .expand = expand,
                     .gradient = gradient,
                     .examples = examples};
  return op;
}

const Op& logSoftmaxGradientOp() {
  static const Op op{.name = "log_softmax_gradient",
                     .summary = "The backward step of log_softmax, the sum of dy given.",
                     .text = "dx[*i,k] = dy[*i,k] - exp(y[*i,k]) * sum[*i]",
                     .domain = "nn",
                     .expression = backward,
                     .examples = gradientExamples};
  return op;
}

}  // namespace core
