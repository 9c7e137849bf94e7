#include "core/ops/builder.h"
#include "core/ops/catalogue.h"
#include "core/ops/example.h"
#include "core/ops/expression_builder.h"
#include "core/ops/fit.h"
#include "core/ops/part.h"
#include "core/ops/require.h"

// One step of an optimizer for one parameter: inputs are the parameter, its gradient and its slots; outputs what they
// become. Adam's corrections for the first steps are the same for all parameters: adam_rates makes them once from the
// step's number.

namespace core {
namespace {

void requireAlike(const OperatorView& op, std::size_t tensors) {
  for (std::size_t i = 0; i < tensors; ++i) {
    requireFloating(op, i);
    if (op.shape(i) != op.shape(0) || op.dtype(i) != op.dtype(0))
      refuse(op, "\"" + op.graph()[op.input(i)].name + "\" is not of the parameter's dimensions and type",
             "the same for parameter, gradient and slots");
  }
}

ExpressionBuilder begin(const OperatorView& op, std::size_t inputs, std::size_t tensors,
                        std::vector<std::string> names) {
  requireInputs(op, inputs);
  requireAlike(op, tensors);
  ExpressionBuilder y(op, std::move(names));
  y.outputLoops(op.shape(0));
  return y;
}

Expression sgd(const OperatorView& op) {
  ExpressionBuilder y = begin(op, 2, 2, {"w", "g"});
  y.result(y.read(0) - y.read(1) * op.number("learning_rate"), op.dtype(0), "w");
  return y.take();
}

Expression momentum(const OperatorView& op) {
  ExpressionBuilder y = begin(op, 3, 3, {"w", "g", "m"});
  const Value speed = y.read(2) * op.number("momentum") + y.read(1);
  y.result(y.read(0) - speed * op.number("learning_rate"), op.dtype(0), "w");
  y.result(speed, op.dtype(0), "m");
  return y.take();
}

// step -> learning_rate / (1 - beta1^step), 1 / sqrt(1 - beta2^step), computed in double precision.
Expression adamRates(const OperatorView& op) {
  requireInputs(op, 1);
  requireInteger(op, 0);
  ExpressionBuilder y(op, {"step"});
  y.outputLoops(op.shape(0));
  const DType type = op.has("dtype") ? parseDType(op.string("dtype")) : DType::f32;
  const auto missing = [&](const char* beta) {
    return 1.0 - apply(Function::power, y.constant(op.number(beta)), cast(y.read(0), DType::f64));
  };
  y.result(op.number("learning_rate") / missing("beta1"), type, "rate");
  y.result(apply(Function::rsqrt, missing("beta2")), type, "correction");
  return y.take();
}

Expression adam(const OperatorView& op) {
  ExpressionBuilder y = begin(op, 6, 4, {"w", "g", "m", "v", "rate", "correction"});
  const double beta1 = op.number("beta1"), beta2 = op.number("beta2");
  const Value gradient = y.read(1);
  const Value mean = y.read(2) * beta1 + gradient * (1 - beta1);
  const Value square = y.read(3) * beta2 + apply(Function::square, gradient) * (1 - beta2);
  const Value size = apply(Function::sqrt, square) * y.read(5) + op.number("epsilon");
  y.result(y.read(0) - y.read(4) * mean / size, op.dtype(0), "w");
  y.result(mean, op.dtype(0), "m");
  y.result(square, op.dtype(0), "v");
  return y.take();
}

Attributes adamSettings() {
  return {{"beta1", 0.9}, {"beta2", 0.999}, {"epsilon", 1e-8}, {"learning_rate", 1e-3}};
}

std::vector<Graph> sgdExamples() {
  return {example([](GraphBuilder& build) {
    const TensorId w = build.input("w", "a:5 b:6"), g = build.input("g", "a b");
    return build.addOne("sgd", {w, g}, {{"learning_rate", 0.1}});
  })};
}

std::vector<Graph> momentumExamples() {
  return {example([](GraphBuilder& build) {
    const TensorId w = build.input("w", "a:5 b:6"), g = build.input("g", "a b"), m = build.input("m", "a b");
    return build.addOne("momentum", {w, g, m}, {{"learning_rate", 0.1}, {"momentum", 0.9}});
  })};
}

std::vector<Graph> ratesExamples() {
  return {example([](GraphBuilder& build) {
    const TensorId step =
        build.plus(build.binary(Function::floorModulo, build.input("step", Shape{}, DType::i64), 1000.0), 1.0);
    return build.addOne("adam_rates", {step}, adamSettings());
  })};
}

std::vector<Graph> adamExamples() {
  return {example([](GraphBuilder& build) {
    const TensorId w = build.input("w", "a:5 b:6"), g = build.input("g", "a b"), m = build.input("m", "a b");
    const TensorId v = build.unary(Function::square, build.input("root", "a b"));
    const TensorId rate = build.input("rate", Shape{}),
                   correction = build.unary(Function::exp, build.input("c", Shape{}));
    return build.addOne("adam", {w, g, m, v, rate, correction}, adamSettings());
  })};
}

}  // namespace

const Op& sgdOp() {
  static const Op op{.name = "sgd",
                     .summary = "A step against the gradient.",
                     .text = "w[*i] = w[*i] - rate * g[*i]",
                     .domain = "optimizer",
                     .expression = sgd,
                     .examples = sgdExamples};
  return op;
}

const Op& momentumOp() {
  static const Op op{.name = "momentum",
                     .summary = "A step along a running sum of gradients.",
                     .text = "m[*i] = momentum * m[*i] + g[*i]; w[*i] = w[*i] - rate * m[*i]",
                     .domain = "optimizer",
                     .expression = momentum,
                     .examples = momentumExamples};
  return op;
}

const Op& adamRatesOp() {
  static const Op op{.name = "adam_rates",
                     .summary = "Adam's rate and correction at a step, for slots that began at zero.",
                     .text = "rate = learning_rate / (1 - beta1 ^ step); correction = 1 / sqrt(1 - beta2 ^ step)",
                     .domain = "optimizer",
                     .expression = adamRates,
                     .examples = ratesExamples};
  return op;
}

const Op& adamOp() {
  static const Op op{.name = "adam",
                     .summary = "A step of Adam: the running mean of gradients over the root of that of their squares.",
                     .text =
                         "m[*i] = beta1 * m[*i] + (1 - beta1) * g[*i]; v[*i] = beta2 * v[*i] + (1 - beta2) * g[*i]^2; "
                         "w[*i] = w[*i] - rate * m[*i] / (sqrt(v[*i]) * correction + epsilon)",
                     .domain = "optimizer",
                     .expression = adam,
                     .examples = adamExamples};
  return op;
}

}  // namespace core
