#include "core/ops/builder.h"
#include "core/ops/catalogue.h"
#include "core/ops/example.h"
#include "core/ops/expression_builder.h"
#include "core/ops/fit.h"
#include "core/ops/part.h"
#include "core/ops/require.h"

// Parts of softmax, log-softmax and cross-entropy: exponentials of what is left above the greatest.

namespace core {
namespace {

Expression shiftedExp(const OperatorView& op) {
  requireInputs(op, 2);
  requireSameType(op);
  requireFloating(op, 0);
  ExpressionBuilder y(op, {"x", "most"});
  y.outputLoops(op.shape(0));
  y.result(apply(Function::exp, y.read(0) - y.read(1)), op.dtype(0));
  return y.take();
}

std::vector<TensorId> shiftedExpGradient(GraphBuilder& build, const GradientView& at) {
  const TensorId dx = build.times(at.outputGradients[0], at.outputs[0]);
  return {dx, build.unary(Function::negate, fitTo(build, dx, at.op.shape(1)))};
}

std::vector<Graph> shiftedExpExamples() {
  return {example([](GraphBuilder& build) {
    const TensorId x = build.input("x", "a:5 b:6"), most = build.input("most", "a");
    return build.addOne("shifted_exp", {x, most});
  })};
}

Expression sumExp(const OperatorView& op) {
  requireInputs(op, 2);
  requireSameType(op);
  requireFloating(op, 0);
  const Shape& over = op.dims("dims");
  ExpressionBuilder y(op, {"x", "most"});
  y.outputLoops(without(op.shape(0), over));
  y.reducedLoops(over, Reduction::sum);
  y.result(reduce(Reduction::sum, apply(Function::exp, y.read(0) - y.read(1)), over), op.dtype(0));
  return y.take();
}

std::vector<TensorId> sumExpGradient(GraphBuilder& build, const GradientView& at) {
  const TensorId dx = build.times(build.addOne("shifted_exp", {at.op.input(0), at.op.input(1)}), at.outputGradients[0]);
  return {dx, build.unary(Function::negate, fitTo(build, dx, at.op.shape(1)))};
}

std::vector<Graph> sumExpExamples() {
  return {example([](GraphBuilder& build) {
    const TensorId x = build.input("x", "a:5 b:6"), most = build.input("most", "a");
    return build.addOne("sum_exp", {x, most}, {{"dims", build.shape("b")}});
  })};
}

}  // namespace

const Op& shiftedExpOp() {
  static const Op op{.name = "shifted_exp",
                     .summary = "exp(x - most), most being the greatest of the row: no number overflows.",
                     .text = "y[*i,k] = exp(x[*i,k] - most[*i])",
                     .domain = "nn",
                     .expression = shiftedExp,
                     .gradient = shiftedExpGradient,
                     .examples = shiftedExpExamples};
  return op;
}

const Op& sumExpOp() {
  static const Op op{.name = "sum_exp",
                     .summary = "The sum of exp(x - most) over dimensions.",
                     .text = "y[*i] = sum(*k) exp(x[*i,*k] - most[*i])",
                     .domain = "nn",
                     .expression = sumExp,
                     .gradient = sumExpGradient,
                     .examples = sumExpExamples};
  return op;
}

}  // namespace core
