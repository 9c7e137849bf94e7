#include "core/base/error.h"
#include "core/ops/builder.h"
#include "core/ops/catalogue.h"
#include "core/ops/elementwise.h"
#include "core/ops/example.h"
#include "core/ops/require.h"

// The backward step of an elementwise function in one pass: dy times the derivative, broadcast as the function was.
// Inputs: dy, and what the derivative is made of (the input or output of a function of one number; both inputs of one
// of two).

namespace core {
namespace {

Value ofBinary(const BinaryRow& row, const OperatorView& op, ExpressionBuilder& y) {
  const Value a = op.has("left") ? y.constant(op.number("left")) : y.read(1);
  const Value b = op.has("right") ? y.constant(op.number("right")) : y.read(op.has("left") ? 1 : 2);
  const bool byLeft = op.has("right") || (!op.has("left") && op.integer("by") == 0);
  const auto derivative = byLeft ? row.byLeft : row.byRight;
  return derivative ? derivative(a, b) : y.constant(0);
}

Expression expression(const OperatorView& op) {
  const std::string& function = op.string("function");
  const UnaryRow* unary = findUnary(function);
  const BinaryRow* binary = unary ? nullptr : findBinary(function);
  if (!unary && !binary) refuse(op, "no function \"" + function + "\"");
  requireInputs(op, unary || op.has("left") || op.has("right") ? 2 : 3);
  requireSameType(op);
  for (std::size_t i = 0; i < op.inputCount(); ++i) requireFloating(op, i);
  ExpressionBuilder y(op, {"dy", "a", "b"});
  y.outputLoops(broadcastShape(op));
  const Value dy = y.read(0);
  const Value slope = !unary              ? ofBinary(*binary, op, y)
                      : unary->derivative ? unary->derivative(y.read(1), op.number("alpha", unary->alpha))
                                          : y.constant(0);
  y.result(dy * slope, op.dtype(0), "dx");
  return y.take();
}

std::vector<Graph> examples() {
  return {
      example([](GraphBuilder& build) {
        const TensorId dy = build.input("dy", "a:4 b:3"), x = build.input("x", "a b");
        return build.addOne("derivative", {dy, x}, {{"function", std::string("gelu_tanh")}});
      }),
      example([](GraphBuilder& build) {
        const TensorId dy = build.input("dy", "a:5 b:3"), x = build.input("x", "a b"), z = build.input("z", "b");
        return build.addOne("derivative", {dy, x, z}, {{"function", std::string("maximum")}, {"by", std::int64_t{0}}});
      })};
}

}  // namespace

const Op& derivative() {
  static const Op op{.name = "derivative",
                     .summary = "The backward step of an elementwise function: dy times the function's derivative.",
                     .text = "dx[*i] = dy[*i] * slope(a[*i], b[*i])",
                     .domain = "math",
                     .expression = expression,
                     .examples = examples};
  return op;
}

}  // namespace core
