#include "core/ops/builder.h"
#include "core/ops/catalogue.h"
#include "core/ops/example.h"
#include "core/ops/expression_builder.h"
#include "core/ops/fit.h"
#include "core/ops/part.h"
#include "core/ops/require.h"

// What layer and RMS norm are made of. Attributes "mean", "scale", "bias" say which of these inputs are there.

namespace core {
namespace {

double shareOf(const OperatorView& op, const Shape& over) {
  double count = 1;
  for (DimId dim : over) count *= static_cast<double>(op.size(dim));
  return count > 0 ? 1 / count : 0;
}

bool has(const OperatorView& op, const char* which) {
  return op.integer(which, 0) != 0;
}

Value squared(Value x) {
  return apply(Function::square, x);
}

// Begins a mean over "dims" of something of input 0's shape.
ExpressionBuilder begin(const OperatorView& op, std::vector<std::string> names) {
  requireSameType(op);
  requireFloating(op, 0);
  const Shape& over = op.dims("dims");
  for (DimId dim : over) requireDim(op, 0, dim);
  ExpressionBuilder y(op, std::move(names));
  y.outputLoops(without(op.shape(0), over));
  y.reducedLoops(over, Reduction::sum);
  return y;
}

Expression meanOf(const OperatorView& op, ExpressionBuilder& y, Value value) {
  const Shape& over = op.dims("dims");
  y.result(reduce(Reduction::sum, value, over) * shareOf(op, over), op.dtype(0));
  return y.take();
}

Expression variance(const OperatorView& op) {
  requireInputs(op, 2);
  ExpressionBuilder y = begin(op, {"x", "mean"});
  return meanOf(op, y, squared(y.read(0) - y.read(1)));
}

std::vector<TensorId> varianceGradient(GraphBuilder& build, const GradientView& at) {
  const TensorId twice = build.times(at.outputGradients[0], 2 * shareOf(at.op, at.op.dims("dims")));
  const TensorId dx = build.times(build.minus(at.op.input(0), at.op.input(1)), twice);
  return {dx, build.unary(Function::negate, fitTo(build, dx, at.op.shape(1)))};
}

Expression meanSquare(const OperatorView& op) {
  requireInputs(op, 1);
  ExpressionBuilder y = begin(op, {"x"});
  return meanOf(op, y, squared(y.read(0)));
}

std::vector<TensorId> meanSquareGradient(GraphBuilder& build, const GradientView& at) {
  return {build.times(at.op.input(0), build.times(at.outputGradients[0], 2 * shareOf(at.op, at.op.dims("dims"))))};
}

Expression inverseRoot(const OperatorView& op) {
  requireInputs(op, 1);
  requireFloating(op, 0);
  ExpressionBuilder y(op, {"x"});
  y.outputLoops(op.shape(0));
  y.result(apply(Function::rsqrt, y.read(0) + op.number("epsilon")), op.dtype(0));
  return y.take();
}

std::vector<TensorId> inverseRootGradient(GraphBuilder& build, const GradientView& at) {
  const TensorId slope = build.times(build.times(at.outputs[0], build.unary(Function::square, at.outputs[0])), -0.5);
  return {build.times(at.outputGradients[0], slope)};
}

Expression normalize(const OperatorView& op) {
  requireInputs(op, 2 + has(op, "mean") + has(op, "scale") + has(op, "bias"));
  requireSameType(op);
  ExpressionBuilder y(op, {"x", "inverse"});
  y.outputLoops(op.shape(0));
  std::size_t next = 2;
  Value value = y.read(0);
  if (has(op, "mean")) value = value - y.read(next++);
  value = value * y.read(1);
  if (has(op, "scale")) value = value * y.read(next++);
  if (has(op, "bias")) value = value + y.read(next++);
  y.result(value, op.dtype(0));
  return y.take();
}

std::vector<TensorId> normalizeGradient(GraphBuilder& build, const GradientView& at) {
  const TensorId dy = at.outputGradients[0], inverse = at.op.input(1);
  std::size_t next = 2;
  const std::size_t mean = has(at.op, "mean") ? next++ : 0, scale = has(at.op, "scale") ? next++ : 0,
                    bias = has(at.op, "bias") ? next++ : 0;
  const TensorId centred = mean ? build.minus(at.op.input(0), at.op.input(mean)) : at.op.input(0);
  const TensorId g = scale ? build.times(dy, at.op.input(scale)) : dy;
  std::vector<TensorId> gradients{build.times(g, inverse), productFitTo(build, g, centred, at.op.shape(1))};
  if (mean) gradients.push_back(build.unary(Function::negate, fitTo(build, gradients[0], at.op.shape(mean))));
  if (scale) gradients.push_back(productFitTo(build, dy, build.times(centred, inverse), at.op.shape(scale)));
  if (bias) gradients.push_back(fitTo(build, dy, at.op.shape(bias)));
  return gradients;
}

// The inputs of the backward parts: dy, x, inverse, then mean and scale where they are.
struct Backward {
  Value g;  // dy * scale
  Value n;  // (x - mean) * inverse
  Value inverse;
  std::size_t next;
};

Backward backward(const OperatorView& op, ExpressionBuilder& y) {
  std::size_t next = 3;
  const Value centred = has(op, "mean") ? y.read(1) - y.read(next++) : y.read(1);
  const Value inverse = y.read(2), dy = y.read(0);
  const Value n = centred * inverse;
  const Value g = has(op, "scale") ? dy * y.read(next++) : dy;
  return {g, n, inverse, next};
}

Expression along(const OperatorView& op) {
  requireInputs(op, 3 + has(op, "mean") + has(op, "scale"));
  ExpressionBuilder y = begin(op, {"dy", "x", "inverse"});
  const Backward at = backward(op, y);
  return meanOf(op, y, at.g * at.n);
}

Expression level(const OperatorView& op) {
  requireInputs(op, 2);
  ExpressionBuilder y = begin(op, {"dy", "scale"});
  return meanOf(op, y, y.read(0) * y.read(1));
}

Expression normGradient(const OperatorView& op) {
  requireInputs(op, 4 + 2 * has(op, "mean") + has(op, "scale"));
  requireSameType(op);
  ExpressionBuilder y(op, {"dy", "x", "inverse"});
  y.outputLoops(op.shape(1));
  Backward at = backward(op, y);
  Value value = at.g;
  if (has(op, "mean")) value = value - y.read(at.next++);
  y.result(at.inverse * (value - at.n * y.read(at.next)), op.dtype(0), "dx");
  return y.take();
}

Expression scaleGradient(const OperatorView& op) {
  requireInputs(op, 3 + has(op, "mean"));
  requireSameType(op);
  const Shape& shape = op.dims("shape");
  const Shape over = without(op.shape(0), shape);
  ExpressionBuilder y(op, {"dy", "x", "inverse", "mean"});
  y.outputLoops(shape);
  y.reducedLoops(over, Reduction::sum);
  const Value centred = has(op, "mean") ? y.read(1) - y.read(3) : y.read(1);
  y.result(reduce(Reduction::sum, y.read(0) * (centred * y.read(2)), over), op.dtype(0));
  return y.take();
}

std::vector<Graph> varianceExamples() {
  return {example([](GraphBuilder& build) {
    const TensorId x = build.input("x", "a:5 d:6"), mean = build.input("mean", "a");
    return build.addOne("variance", {x, mean}, {{"dims", build.shape("d")}});
  })};
}

std::vector<Graph> meanSquareExamples() {
  return {example([](GraphBuilder& build) {
    const TensorId x = build.input("x", "a:5 d:6");
    return build.addOne("mean_square", {x}, {{"dims", build.shape("d")}});
  })};
}

std::vector<Graph> inverseRootExamples() {
  return {example([](GraphBuilder& build) {
    const TensorId x = build.unary(Function::square, build.input("x", "a:5"));
    return build.addOne("inverse_root", {x}, {{"epsilon", 0.1}});
  })};
}

// Inputs of a kind of part, with all that may be left out.
Graph whole(const std::string& kind, std::vector<std::pair<std::string, std::string>> inputs, Attributes flags,
            const std::string& dims, const std::string& shape) {
  return example([&](GraphBuilder& build) {
    const Shape space = build.shape("a:5 d:6");
    std::vector<TensorId> made;
    for (const auto& [name, text] : inputs) made.push_back(build.input(name, text));
    if (!dims.empty()) flags["dims"] = build.shape(dims);
    if (!shape.empty()) flags["shape"] = build.shape(shape);
    return build.addOne(kind, made, flags);
  });
}

const std::int64_t yes = 1;

std::vector<Graph> normalizeExamples() {
  return {whole("normalize", {{"x", "a d"}, {"inverse", "a"}, {"mean", "a"}, {"scale", "d"}, {"bias", "d"}},
                {{"mean", yes}, {"scale", yes}, {"bias", yes}}, "", ""),
          whole("normalize", {{"x", "a d"}, {"inverse", "a"}}, {}, "", "")};
}

std::vector<Graph> alongExamples() {
  return {whole("norm_gradient_along", {{"dy", "a d"}, {"x", "a d"}, {"inverse", "a"}, {"mean", "a"}, {"scale", "d"}},
                {{"mean", yes}, {"scale", yes}}, "d", "")};
}

std::vector<Graph> levelExamples() {
  return {whole("norm_gradient_level", {{"dy", "a d"}, {"scale", "d"}}, {}, "d", "")};
}

std::vector<Graph> normGradientExamples() {
  return {whole("norm_gradient",
                {{"dy", "a d"},
                 {"x", "a d"},
                 {"inverse", "a"},
                 {"mean", "a"},
                 {"scale", "d"},
                 {"level", "a"},
                 {"along", "a"}},
                {{"mean", yes}, {"scale", yes}}, "d", ""),
          whole("norm_gradient", {{"dy", "a d"}, {"x", "a d"}, {"inverse", "a"}, {"along", "a"}}, {}, "d", "")};
}

std::vector<Graph> scaleGradientExamples() {
  return {whole("norm_scale_gradient", {{"dy", "a d"}, {"x", "a d"}, {"inverse", "a"}, {"mean", "a"}}, {{"mean", yes}},
                "", "d")};
}

}  // namespace

const Op& varianceOp() {
  static const Op op{.name = "variance",
                     .summary = "The mean square distance from a mean.",
                     .text = "y[*i] = (sum(*d) square(x[*i,*d] - mean[*i])) * (1 / count)",
                     .domain = "nn",
                     .expression = variance,
                     .gradient = varianceGradient,
                     .examples = varianceExamples};
  return op;
}

const Op& meanSquareOp() {
  static const Op op{.name = "mean_square",
                     .summary = "The mean of squares.",
                     .text = "y[*i] = (sum(*d) square(x[*i,*d])) * (1 / count)",
                     .domain = "nn",
                     .expression = meanSquare,
                     .gradient = meanSquareGradient,
                     .examples = meanSquareExamples};
  return op;
}

const Op& inverseRootOp() {
  static const Op op{.name = "inverse_root",
                     .summary = "One over the root of x + epsilon.",
                     .text = "y[*i] = rsqrt(x[*i] + epsilon)",
                     .domain = "nn",
                     .expression = inverseRoot,
                     .gradient = inverseRootGradient,
                     .examples = inverseRootExamples};
  return op;
}

const Op& normalizeOp() {
  static const Op op{.name = "normalize",
                     .summary = "A norm whose statistics are given.",
                     .text = "y[*i,*d] = (x[*i,*d] - mean[*i]) * inverse[*i] * scale[*d] + bias[*d]",
                     .domain = "nn",
                     .expression = normalize,
                     .gradient = normalizeGradient,
                     .examples = normalizeExamples};
  return op;
}

const Op& normGradientAlongOp() {
  static const Op op{
      .name = "norm_gradient_along",
      .summary = "Backward through a norm: the mean of the gradient along the normalised values.",
      .text = "y[*i] = (sum(*d) dy[*i,*d] * scale[*d] * (x[*i,*d] - mean[*i]) * inverse[*i]) * (1 / count)",
      .domain = "nn",
      .expression = along,
      .examples = alongExamples};
  return op;
}

const Op& normGradientLevelOp() {
  static const Op op{.name = "norm_gradient_level",
                     .summary = "Backward through a norm: the mean of the scaled gradient.",
                     .text = "y[*i] = (sum(*d) dy[*i,*d] * scale[*d]) * (1 / count)",
                     .domain = "nn",
                     .expression = level,
                     .examples = levelExamples};
  return op;
}

const Op& normGradientOp() {
  static const Op op{.name = "norm_gradient",
                     .summary = "Backward through a norm, both means given.",
                     .text =
                         "dx[*i,*d] = inverse[*i] * (dy[*i,*d] * scale[*d] - level[*i] - (x[*i,*d] - mean[*i]) * "
                         "inverse[*i] * along[*i])",
                     .domain = "nn",
                     .expression = normGradient,
                     .examples = normGradientExamples};
  return op;
}

const Op& normScaleGradientOp() {
  static const Op op{.name = "norm_scale_gradient",
                     .summary = "Backward through a norm, for its scale.",
                     .text = "y[*d] = sum(*i) dy[*i,*d] * (x[*i,*d] - mean[*i]) * inverse[*i]",
                     .domain = "nn",
                     .expression = scaleGradient,
                     .examples = scaleGradientExamples};
  return op;
}

}  // namespace core
