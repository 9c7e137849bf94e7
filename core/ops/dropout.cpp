#include "core/ops/builder.h"
#include "core/ops/catalogue.h"
#include "core/ops/example.h"
#include "core/ops/expression_builder.h"
#include "core/ops/fit.h"
#include "core/ops/part.h"
#include "core/ops/require.h"

// In training: each element is 0 with probability "rate", the others are scaled up so that the mean stays. Second
// output: which elements stay. Which ones depends on seed, step and place, not on the layout.

namespace core {
namespace {

double rateOf(const OperatorView& op) {
  const double rate = op.number("rate");
  if (rate < 0 || rate >= 1) refuse(op, "rate " + std::to_string(rate), "0 or more and less than 1");
  return rate;
}

std::vector<TensorId> expand(GraphBuilder& build, const OperatorView& op) {
  requireInputs(op, 1);
  const std::string seed = op.has("seed") ? op.string("seed") : op.name();
  const TensorId keep =
      addPart(build, op, "keep", "keep_mask", {}, {{"shape", op.shape(0)}, {"rate", rateOf(op)}, {"seed", seed}});
  return {addPart(build, op, "apply", "keep_scaled", {op.input(0), keep}, {{"rate", rateOf(op)}}), keep};
}

std::vector<TensorId> gradient(GraphBuilder& build, const GradientView& at) {
  return {build.addOne("keep_scaled", {at.outputGradients[0], at.outputs[1]}, {{"rate", at.op.number("rate")}})};
}

Expression mask(const OperatorView& op) {
  requireInputs(op, 0);
  ExpressionBuilder y(op);
  y.outputLoops(op.dims("shape"));
  const Value number = y.random(op.string("seed"));
  y.result(apply(Function::greaterEqual, number, y.constant(rateOf(op))), DType::boolean);
  return y.take();
}

Expression scaled(const OperatorView& op) {
  requireInputs(op, 2);
  requireFloating(op, 0);
  ExpressionBuilder y(op, {"x", "keep"});
  y.outputLoops(op.shape(0));
  y.result(select(y.read(1), y.read(0) * (1 / (1 - rateOf(op))), y.constant(0)), op.dtype(0));
  return y.take();
}

std::vector<TensorId> scaledGradient(GraphBuilder& build, const GradientView& at) {
  return {build.addOne("keep_scaled", {at.outputGradients[0], at.op.input(1)}, {{"rate", at.op.number("rate")}}),
          TensorId()};
}

std::vector<TensorId> none(GraphBuilder&, const GradientView&) {
  return {};
}

std::vector<Graph> examples() {
  return {example([](GraphBuilder& build) {
            const TensorId x = build.input("x", "a:4 b:6");
            return build.dropout(x, 0.25, "drop");
          }),
          example([](GraphBuilder& build) {
            const TensorId x = build.input("x", "a:5 b:3");
            return build.dropout(x, 0.5, "drop");
          })};
}

std::vector<Graph> maskExamples() {
  return {example([](GraphBuilder& build) {
    return build.addOne("keep_mask", {},
                        {{"shape", build.shape("a:5 b:6")}, {"rate", 0.3}, {"seed", std::string("drop")}});
  })};
}

std::vector<Graph> scaledExamples() {
  return {example([](GraphBuilder& build) {
    const TensorId x = build.input("x", "a:5 b:6"),
                   keep = build.binary(Function::greater, build.input("z", "a b"), 0.0);
    return build.addOne("keep_scaled", {x, keep}, {{"rate", 0.5}});
  })};
}

}  // namespace

const Op& dropoutOp() {
  static const Op op{.name = "dropout",
                     .summary = "Sets elements to 0 at random and scales up the others; in inference the same values.",
                     .text = "y[*i] = select(random() >= rate, x[*i] / (1 - rate), 0)",
                     .domain = "random",
                     .expand = expand,
                     .gradient = gradient,
                     .examples = examples};
  return op;
}

const Op& keepMaskOp() {
  static const Op op{.name = "keep_mask",
                     .summary = "True with probability 1 - rate.",
                     .text = "y[*i] = random() >= rate",
                     .domain = "random",
                     .expression = mask,
                     .gradient = none,
                     .examples = maskExamples};
  return op;
}

const Op& keepScaledOp() {
  static const Op op{.name = "keep_scaled",
                     .summary = "What is kept, scaled up for what is not; else 0.",
                     .text = "y[*i] = select(keep[*i], x[*i] * (1 / (1 - rate)), 0)",
                     .domain = "random",
                     .expression = scaled,
                     .gradient = scaledGradient,
                     .examples = scaledExamples};
  return op;
}

}  // namespace core
