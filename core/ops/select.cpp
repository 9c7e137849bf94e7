#include "core/ops/builder.h"
#include "core/ops/catalogue.h"
#include "core/ops/elementwise.h"
#include "core/ops/example.h"
#include "core/ops/fit.h"
#include "core/ops/require.h"

// One of two values by a condition. Either may be a number: attributes "yes" and "no" (then "dtype" says the type where
// both are).

namespace core {
namespace {

DType typeOf(const OperatorView& op) {
  if (op.inputCount() > 1) return op.dtype(1);
  if (!op.has("dtype")) refuse(op, "both values are numbers and attribute \"dtype\" is missing");
  return parseDType(op.string("dtype"));
}

Expression expression(const OperatorView& op) {
  const bool yesNumber = op.has("yes"), noNumber = op.has("no");
  requireInputs(op, 3 - yesNumber - noNumber);
  if (op.dtype(0) != DType::boolean)
    refuse(op, "the condition is of type " + std::string(toString(op.dtype(0))), "bool; compare or cast it");
  if (op.inputCount() == 3 && op.dtype(1) != op.dtype(2))
    refuse(op, "values of types " + std::string(toString(op.dtype(1))) + " and " + std::string(toString(op.dtype(2))),
           "cast one of them: types are not mixed");
  ExpressionBuilder y(op, {"condition", yesNumber ? "no" : "yes", "no"});
  y.outputLoops(broadcastShape(op));
  const Value condition = y.read(0);
  const Value yes = yesNumber ? y.constant(op.number("yes")) : y.read(1);
  const Value no = noNumber ? y.constant(op.number("no")) : y.read(yesNumber ? 1 : 2);
  y.result(select(condition, yes, no), typeOf(op));
  return y.take();
}

// The branch that was not taken gets 0 whatever stands there: a NaN does not leak.
std::vector<TensorId> gradient(GraphBuilder& build, const GradientView& at) {
  std::vector<TensorId> gradients{TensorId()};
  const TensorId dy = at.outputGradients[0], condition = at.op.input(0);
  if (!at.op.has("yes")) gradients.push_back(fitTo(build, build.select(condition, dy, 0.0), at.op.shape(1)));
  if (!at.op.has("no"))
    gradients.push_back(fitTo(build, build.select(condition, 0.0, dy), at.op.shape(gradients.size())));
  return gradients;
}

std::vector<Graph> examples() {
  return {example([](GraphBuilder& build) {
            const TensorId a = build.input("a", "i:4 j:3"), b = build.input("b", "i j");
            return build.select(build.binary(Function::less, a, b), a, b);
          }),
          example([](GraphBuilder& build) {
            const TensorId a = build.input("a", "i:5 j:7"), b = build.input("b", "j");
            return build.select(build.binary(Function::less, a, b), b, -1.0);
          })};
}

}  // namespace

const Op& selectOp() {
  static const Op op{.name = "select",
                     .summary = "The second where the first is true, else the third.",
                     .text = "y[*i] = select(c[*i], a[*i], b[*i])",
                     .domain = "math",
                     .expression = expression,
                     .gradient = gradient,
                     .examples = examples};
  return op;
}

}  // namespace core
