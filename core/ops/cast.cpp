#include "core/ops/builder.h"
#include "core/ops/catalogue.h"
#include "core/ops/example.h"
#include "core/ops/expression_builder.h"
#include "core/ops/require.h"

namespace core {
namespace {

Expression expression(const OperatorView& op) {
  requireInputs(op, 1);
  const DType type = parseDType(op.string("dtype"));
  ExpressionBuilder y(op, {"x"});
  y.outputLoops(op.shape(0));
  y.result(cast(y.read(0), type), type);
  return y.take();
}

std::vector<TensorId> gradient(GraphBuilder& build, const GradientView& at) {
  const bool flows = isFloating(at.op.dtype(0)) && isFloating(parseDType(at.op.string("dtype")));
  return {flows ? build.cast(at.outputGradients[0], at.op.dtype(0)) : TensorId()};
}

std::vector<Graph> examples() {
  return {example([](GraphBuilder& build) { return build.cast(build.input("x", "a:4 b:3"), DType::f64); }),
          example([](GraphBuilder& build) { return build.cast(build.input("x", "a:5", DType::i64), DType::f32); })};
}

}  // namespace

const Op& castOp() {
  static const Op op{
      .name = "cast",
      .summary = "The same values in another element type; a fraction is cut off where that is an integer.",
      .text = "y[*i] = cast(x[*i])",
      .domain = "math",
      .expression = expression,
      .gradient = gradient,
      .examples = examples};
  return op;
}

}  // namespace core
