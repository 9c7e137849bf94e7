#include "core/ops/builder.h"
#include "core/ops/catalogue.h"
#include "core/ops/example.h"
#include "core/ops/expression_builder.h"
#include "core/ops/fit.h"
#include "core/ops/part.h"
#include "core/ops/require.h"

// Layer and RMS norm. Further outputs are the statistics, which the backward step reads again.

namespace core {
namespace {

std::int64_t given(TensorId id) {
  return id.valid() ? 1 : 0;
}

double shareOf(const OperatorView& op, const Shape& over) {
  double count = 1;
  for (DimId dim : over) count *= static_cast<double>(op.size(dim));
  return count > 0 ? 1 / count : 0;
}

void requireNormalisable(const OperatorView& op) {
  requireSameType(op);
  requireFloating(op, 0);
  for (DimId dim : op.dims("dims")) requireDim(op, 0, dim);
}

TensorId optional(const OperatorView& op, const std::string& which, std::size_t at) {
  return op.integer(which, 0) != 0 ? op.input(at) : TensorId();
}

TensorId normalize(GraphBuilder& build, const OperatorView& op, TensorId inverse, TensorId mean, TensorId scale,
                   TensorId bias) {
  std::vector<TensorId> inputs{op.input(0), inverse};
  for (TensorId id : {mean, scale, bias})
    if (id.valid()) inputs.push_back(id);
  return addPart(build, op, "normalize", "normalize", std::move(inputs),
                 {{"mean", given(mean)}, {"scale", given(scale)}, {"bias", given(bias)}});
}

std::vector<TensorId> expandLayer(GraphBuilder& build, const OperatorView& op) {
  const TensorId x = op.input(0), scale = optional(op, "scale", 1), bias = optional(op, "bias", scale.valid() ? 2 : 1);
  requireInputs(op, 1 + scale.valid() + bias.valid());
  requireNormalisable(op);
  const Shape& over = op.dims("dims");
  const TensorId mean = addPart(build, op, "mean", "reduce_mean", {x}, {{"dims", over}});
  const TensorId variance = addPart(build, op, "variance", "variance", {x, mean}, {{"dims", over}});
  const TensorId inverse =
      addPart(build, op, "inverse", "inverse_root", {variance}, {{"epsilon", op.number("epsilon", 1e-5)}});
  return {normalize(build, op, inverse, mean, scale, bias), mean, inverse};
}

std::vector<TensorId> expandRms(GraphBuilder& build, const OperatorView& op) {
  const TensorId x = op.input(0), scale = op.inputCount() > 1 ? op.input(1) : TensorId();
  requireInputs(op, 1 + scale.valid());
  requireNormalisable(op);
  const TensorId square = addPart(build, op, "mean_square", "mean_square", {x}, {{"dims", op.dims("dims")}});
  const TensorId inverse =
      addPart(build, op, "inverse", "inverse_root", {square}, {{"epsilon", op.number("epsilon", 1e-5)}});
  return {normalize(build, op, inverse, TensorId(), scale, TensorId()), inverse};
}

struct Norm {
  TensorId x, inverse, mean, scale, bias;  // mean, scale and bias may be none
};

// What x, inverse, mean and scale say of one element, in the order in which the backward parts take them.
std::vector<TensorId> operands(TensorId dy, const Norm& norm) {
  std::vector<TensorId> inputs{dy, norm.x, norm.inverse};
  for (TensorId id : {norm.mean, norm.scale})
    if (id.valid()) inputs.push_back(id);
  return inputs;
}

TensorId plus(GraphBuilder& build, TensorId a, TensorId b) {
  return !a.valid() ? b : build.plus(a, b);
}

// Of x through y: inverse * (g - mean(g) - n * mean(g * n)), with g = dy * scale and n = (x - mean) * inverse.
TensorId gradientByX(GraphBuilder& build, const GradientView& at, const Norm& norm) {
  const TensorId dy = at.outputGradients[0];
  const Shape& over = at.op.dims("dims");
  const Attributes flags{{"mean", given(norm.mean)}, {"scale", given(norm.scale)}, {"dims", over}};
  std::vector<TensorId> inputs = operands(dy, norm);
  const TensorId along = build.addOne("norm_gradient_along", inputs, flags);
  TensorId level;
  if (norm.mean.valid()) {
    level = !norm.scale.valid() ? build.mean(dy, over)
                                : build.addOne("norm_gradient_level", {dy, norm.scale}, {{"dims", over}});
    inputs.push_back(level);
  }
  inputs.push_back(along);
  return build.addOne("norm_gradient", std::move(inputs), flags);
}

// Of x through the statistics, where they are read as outputs.
TensorId gradientByStatistics(GraphBuilder& build, const GradientView& at, const Norm& norm, TensorId dmean,
                              TensorId dinverse) {
  TensorId dx;
  const double share = shareOf(at.op, at.op.dims("dims"));
  if (dmean.valid()) dx = fitTo(build, build.times(dmean, share), at.op.shape(0));
  if (dinverse.valid()) {
    const TensorId cube = build.times(build.times(norm.inverse, build.unary(Function::square, norm.inverse)), -share);
    const TensorId centred = norm.mean.valid() ? build.minus(norm.x, norm.mean) : norm.x;
    dx = plus(build, dx, build.times(centred, build.times(cube, dinverse)));
  }
  return dx;
}

std::vector<TensorId> gradientOf(GraphBuilder& build, const GradientView& at, const Norm& norm, TensorId dmean,
                                 TensorId dinverse) {
  const TensorId dy = at.outputGradients[0];
  TensorId dx = gradientByStatistics(build, at, norm, dmean, dinverse);
  std::vector<TensorId> gradients{dx};
  if (dy.valid()) gradients[0] = plus(build, dx, gradientByX(build, at, norm));
  if (norm.scale.valid()) {
    const Norm unscaled{norm.x, norm.inverse, norm.mean, TensorId(), TensorId()};
    const Attributes attributes{{"mean", given(norm.mean)}, {"shape", build.graph()[norm.scale].shape}};
    gradients.push_back(dy.valid() ? build.addOne("norm_scale_gradient", operands(dy, unscaled), attributes)
                                   : TensorId());
  }
  if (norm.bias.valid())
    gradients.push_back(dy.valid() ? fitTo(build, dy, build.graph()[norm.bias].shape) : TensorId());
  return gradients;
}

std::vector<TensorId> layerGradient(GraphBuilder& build, const GradientView& at) {
  const TensorId scale = optional(at.op, "scale", 1);
  const Norm norm{at.op.input(0), at.outputs[2], at.outputs[1], scale, optional(at.op, "bias", scale.valid() ? 2 : 1)};
  return gradientOf(build, at, norm, at.outputGradients[1], at.outputGradients[2]);
}

std::vector<TensorId> rmsGradient(GraphBuilder& build, const GradientView& at) {
  const Norm norm{at.op.input(0), at.outputs[1], TensorId(), at.op.inputCount() > 1 ? at.op.input(1) : TensorId(),
                  TensorId()};
  return gradientOf(build, at, norm, TensorId(), at.outputGradients[1]);
}

std::vector<Graph> layerExamples() {
  return {example([](GraphBuilder& build) {
            const TensorId x = build.input("x", "a:4 d:6"), scale = build.input("scale", "d"),
                           bias = build.input("bias", "d");
            return build.layerNorm(x, build.shape("d"), scale, bias, 1e-5);
          }),
          example([](GraphBuilder& build) {
            const TensorId x = build.input("x", "a:5 b:3 d:7"), bias = build.input("bias", "d");
            return build.layerNorm(x, build.shape("d"), TensorId(), bias, 1e-5);
          })};
}

std::vector<Graph> rmsExamples() {
  return {example([](GraphBuilder& build) {
            const TensorId x = build.input("x", "a:4 d:6"), scale = build.input("scale", "d");
            return build.rmsNorm(x, build.shape("d"), scale, 1e-5);
          }),
          example([](GraphBuilder& build) {
            const TensorId x = build.input("x", "a:5 d:3");
            return build.rmsNorm(x, build.shape("d"), TensorId(), 1e-5);
          })};
}

}  // namespace

const Op& layerNormOp() {
  static const Op op{
      .name = "layer_norm",
      .summary = "Takes off the mean and divides by the standard deviation over dimensions; then scale and bias.",
      .text =
          "y[*i,*d] = (x[*i,*d] - mean[*i]) * inverse[*i] * scale[*d] + bias[*d]; inverse[*i] = rsqrt(variance[*i] + "
          "epsilon)",
      .domain = "nn",
      .expand = expandLayer,
      .gradient = layerGradient,
      .examples = layerExamples};
  return op;
}

const Op& rmsNormOp() {
  static const Op op{.name = "rms_norm",
                     .summary = "Divides by the root of the mean square over dimensions; then scale.",
                     .text =
                         "y[*i,*d] = x[*i,*d] * inverse[*i] * scale[*d]; inverse[*i] = rsqrt((sum(*d) x[*i,*d]^2) * (1 "
                         "/ count) + epsilon)",
                     .domain = "nn",
                     .expand = expandRms,
                     .gradient = rmsGradient,
                     .examples = rmsExamples};
  return op;
}

}  // namespace core
