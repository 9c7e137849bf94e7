#include "core/ops/builder.h"
#include "core/ops/catalogue.h"
#include "core/ops/example.h"
#include "core/ops/expression_builder.h"
#include "core/ops/fit.h"
#include "core/ops/part.h"
#include "core/ops/require.h"

// Numbers of a key and a place: the same on every layout. Attributes "shape", "seed" (a stable name), "dtype".

namespace core {
namespace {

DType typeOf(const OperatorView& op) {
  const DType type = op.has("dtype") ? parseDType(op.string("dtype")) : DType::f32;
  if (!isFloating(type)) refuse(op, "random numbers of type " + std::string(toString(type)), "a floating type");
  return type;
}

std::string seedOf(const OperatorView& op) {
  return op.has("seed") ? op.string("seed") : op.name();
}

Expression uniform(const OperatorView& op) {
  requireInputs(op, 0);
  ExpressionBuilder y(op);
  y.outputLoops(op.dims("shape"));
  const double low = op.number("low", 0), high = op.number("high", 1);
  Value value = y.random(seedOf(op));
  if (high - low != 1) value = value * (high - low);
  if (low != 0) value = value + low;
  y.result(value, typeOf(op));
  return y.take();
}

// Box and Muller's way from two uniform numbers.
Expression normal(const OperatorView& op) {
  requireInputs(op, 0);
  ExpressionBuilder y(op);
  y.outputLoops(op.dims("shape"));
  const Value radius = apply(Function::sqrt, apply(Function::log, 1.0 - y.random(seedOf(op) + "/radius")) * -2);
  const Value angle = y.random(seedOf(op) + "/angle") * 6.283185307179586;
  y.result(radius * apply(Function::cos, angle) * op.number("deviation", 1) + op.number("mean", 0), typeOf(op));
  return y.take();
}

std::vector<TensorId> none(GraphBuilder&, const GradientView&) {
  return {};
}

std::vector<Graph> uniformExamples() {
  return {example([](GraphBuilder& build) { return build.uniform(build.shape("a:4 b:6"), "u"); }),
          example([](GraphBuilder& build) {
            return build.addOne(
                "uniform", {},
                {{"shape", build.shape("a:5 b:3")}, {"seed", std::string("u")}, {"low", -2.0}, {"high", 3.0}});
          })};
}

std::vector<Graph> normalExamples() {
  return {example([](GraphBuilder& build) {
    return build.addOne(
        "normal", {},
        {{"shape", build.shape("a:5 b:6")}, {"seed", std::string("n")}, {"mean", 1.0}, {"deviation", 2.0}});
  })};
}

}  // namespace

const Op& uniformOp() {
  static const Op op{.name = "uniform",
                     .summary = "Random numbers, equally likely from low up to high.",
                     .text = "y[*i] = low + (high - low) * random()",
                     .domain = "random",
                     .expression = uniform,
                     .gradient = none,
                     .examples = uniformExamples};
  return op;
}

const Op& normalOp() {
  static const Op op{.name = "normal",
                     .summary = "Random numbers of the normal distribution.",
                     .text = "y[*i] = mean + deviation * sqrt(-2 * log(1 - random())) * cos(2 * pi * random())",
                     .domain = "random",
                     .expression = normal,
                     .gradient = none,
                     .examples = normalExamples};
  return op;
}

}  // namespace core
