#include "core/ops/builder.h"
#include "core/ops/catalogue.h"
#include "core/ops/example.h"
#include "core/ops/expression_builder.h"
#include "core/ops/fit.h"
#include "core/ops/part.h"
#include "core/ops/require.h"

// The loss of each position: how unlikely the logits find the label. Labels are integers; the logit of the label is a
// sum over the classes of which one counts, so that a split vocabulary needs no lookup. Second output: the logarithm of
// the sum of exp.

namespace core {
namespace {

void requireLabels(const OperatorView& op) {
  requireInputs(op, 2);
  requireFloating(op, 0);
  requireInteger(op, 1);
  requireDim(op, 0, only(op, "classes"));
  for (DimId dim : op.shape(1)) requireDim(op, 0, dim);
  if (op.shape(1).size() + 1 != op.shape(0).size())
    refuse(op, "labels " + shapeText(op.graph(), op.shape(1)) + " for logits " + shapeText(op.graph(), op.shape(0)),
           "a label for each position: the logits' dimensions without the classes");
}

std::vector<TensorId> expand(GraphBuilder& build, const OperatorView& op) {
  requireLabels(op);
  const TensorId logits = op.input(0);
  const Shape& classes = op.dims("classes");
  const TensorId most = addPart(build, op, "max", "reduce_max", {logits}, {{"dims", classes}});
  const TensorId sum = addPart(build, op, "sum_exp", "sum_exp", {logits, most}, {{"dims", classes}});
  const TensorId log = addPart(build, op, "log", "log", {sum});
  const TensorId whole = addPart(build, op, "log_sum_exp", "add", {log, most});
  const TensorId label = addPart(build, op, "label", "pick_label", {logits, op.input(1)}, {{"classes", classes}});
  return {addPart(build, op, "subtract", "subtract", {whole, label}), whole};
}

std::vector<TensorId> gradient(GraphBuilder& build, const GradientView& at) {
  const TensorId logits = at.op.input(0), whole = at.outputs[1];
  TensorId dx;
  if (at.outputGradients[0].valid())
    dx = build.addOne("cross_entropy_gradient", {logits, whole, at.op.input(1), at.outputGradients[0]},
                      {{"classes", at.op.dims("classes")}});
  if (at.outputGradients[1].valid()) {
    const TensorId more = build.times(build.addOne("shifted_exp", {logits, whole}), at.outputGradients[1]);
    dx = dx.valid() ? build.plus(dx, more) : more;
  }
  return {dx, TensorId()};
}

Expression pickLabel(const OperatorView& op) {
  requireLabels(op);
  const Shape& classes = op.dims("classes");
  ExpressionBuilder y(op, {"x", "labels"});
  y.outputLoops(without(op.shape(0), classes));
  y.reducedLoops(classes, Reduction::sum);
  const Value here = y.read(1) == y.index(classes[0]);
  y.result(reduce(Reduction::sum, select(here, y.read(0), y.constant(0)), classes), op.dtype(0));
  return y.take();
}

std::vector<TensorId> pickLabelGradient(GraphBuilder& build, const GradientView& at) {
  const TensorId number = build.iota(only(at.op, "classes"), at.op.dtype(1));
  const TensorId here = build.binary(Function::equal, at.op.input(1), number);
  return {fitTo(build, build.select(here, at.outputGradients[0], 0.0), at.op.shape(0)), TensorId()};
}

Expression backward(const OperatorView& op) {
  requireInputs(op, 4);
  ExpressionBuilder y(op, {"x", "whole", "labels", "dy"});
  y.outputLoops(op.shape(0));
  const Value share = apply(Function::exp, y.read(0) - y.read(1));
  const Value here = y.read(2) == y.index(only(op, "classes"));
  y.result(select(here, share - 1, share) * y.read(3), op.dtype(0), "dx");
  return y.take();
}

std::vector<Graph> examples() {
  return {example([](GraphBuilder& build) {
            const TensorId logits = build.input("logits", "b:3 s:4 v:6"),
                           labels = rowsInput(build, "labels", "b:3 s:4", 6);
            return build.crossEntropy(logits, build.dim("v", 6), labels);
          }),
          example([](GraphBuilder& build) {
            const TensorId logits = build.input("logits", "b:5 v:7"), labels = rowsInput(build, "labels", "b:5", 7);
            return build.crossEntropy(logits, build.dim("v", 7), labels);
          })};
}

std::vector<Graph> pickLabelExamples() {
  return {example([](GraphBuilder& build) {
    const TensorId x = build.input("x", "b:5 v:6"), labels = rowsInput(build, "labels", "b:5", 6);
    return build.addOne("pick_label", {x, labels}, {{"classes", build.shape("v")}});
  })};
}

std::vector<Graph> gradientExamples() {
  return {example([](GraphBuilder& build) {
    const TensorId x = build.input("x", "b:5 v:6"), whole = build.input("whole", "b"),
                   labels = rowsInput(build, "labels", "b:5", 6), dy = build.input("dy", "b");
    return build.addOne("cross_entropy_gradient", {x, whole, labels, dy}, {{"classes", build.shape("v")}});
  })};
}

}  // namespace

const Op& crossEntropyOp() {
  static const Op op{
      .name = "cross_entropy",
      .summary = "The loss of each position: minus the logarithm of the share that softmax gives its label.",
      .text = "y[*i] = log(sum(k) exp(x[*i,k])) - sum(k) select(labels[*i] == k, x[*i,k], 0)",
      .domain = "nn",
      .expand = expand,
      .gradient = gradient,
      .examples = examples};
  return op;
}

const Op& pickLabelOp() {
  static const Op op{.name = "pick_label",
                     .summary = "The entry of each position that its label names.",
                     .text = "y[*i] = sum(k) select(labels[*i] == k, x[*i,k], 0)",
                     .domain = "nn",
                     .expression = pickLabel,
                     .gradient = pickLabelGradient,
                     .examples = pickLabelExamples};
  return op;
}

const Op& crossEntropyGradientOp() {
  static const Op op{
      .name = "cross_entropy_gradient",
      .summary = "The backward step of cross_entropy: the shares, less one at the label.",
      .text = "dx[*i,k] = select(labels[*i] == k, exp(x[*i,k] - whole[*i]) - 1, exp(x[*i,k] - whole[*i])) * dy[*i]",
      .domain = "nn",
      .expression = backward,
      .examples = gradientExamples};
  return op;
}

}  // namespace core
