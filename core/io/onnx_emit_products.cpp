#include <fmt/format.h>

#include "core/base/error.h"
#include "core/io/onnx_emitter.h"

// Products, softmax, norms and losses.

namespace core {
namespace {

using Site = Emitter::Site;
using Made = std::vector<TensorId>;

Made product(Emitter& emit, const Site& site) {
  std::vector<TensorId> inputs;
  for (std::size_t i = 0; i < site.inputs(); ++i) inputs.push_back(emit.operand(site, i));
  Shape out = emit.shape(site.relation.outputs[0]);
  emit.nameNext(site);
  return {emit.build.einsum(inputs, out)};
}

// alpha A B + beta C
Made gemm(Emitter& emit, const Site& site) {
  std::vector<TensorId> inputs{emit.operand(site, 0), emit.operand(site, 1)};
  double alpha = site.node.real("alpha", 1), beta = site.node.real("beta", 1);
  bool plain = !site.has(2) || beta == 0;
  if (plain && alpha == 1) emit.nameNext(site);
  TensorId y = emit.build.einsum(inputs, emit.shape(site.relation.outputs[0]));
  if (alpha != 1) {
    if (plain) emit.nameNext(site);
    y = emit.build.times(y, alpha);
  }
  if (plain) return {y};
  if (auto bias = emit.number(site, 2)) {
    emit.nameNext(site);
    return {emit.build.plus(y, *bias * beta)};
  }
  TensorId bias = emit.operand(site, 2);
  if (beta != 1) bias = emit.build.times(bias, beta);
  emit.nameNext(site);
  return {emit.build.plus(y, bias)};
}

// Over one dimension the operator of that name; over several (an axis that was factored) the steps themselves.
Made softmax(Emitter& emit, const Site& site) {
  GraphBuilder& build = emit.build;
  const naming::Axes& axes = site.relation.operands.at(0).axes;
  bool old = site.node.opset < 13, logarithm = site.node.type == "LogSoftmax";
  auto rank = static_cast<std::int64_t>(axes.size());
  std::int64_t axis = site.node.integer("axis", old ? 1 : -1);
  if (axis < 0) axis += rank;
  if (axis < 0 || axis >= rank) throw Error{.what = fmt::format("axis {} of {} axes", axis, rank), .where = {}, .right = {}};
  naming::Axes over(axes.begin() + axis, old ? axes.end() : axes.begin() + axis + 1);
  Shape dims = emit.shape(over);
  TensorId x = emit.operand(site, 0);
  if (dims.size() == 1) {
    emit.nameNext(site);
    return {logarithm ? build.logSoftmax(x, dims[0]) : build.softmax(x, dims[0])};
  }
  TensorId low = build.minus(x, dims.empty() ? x : build.reduce(Reduction::max, x, dims));
  TensorId raised = build.unary(Function::exp, low);
  TensorId total = dims.empty() ? raised : build.sum(raised, dims);
  return {logarithm ? build.minus(low, build.unary(Function::log, total)) : build.over(raised, total)};
}

Made layerNorm(Emitter& emit, const Site& site) {
  Shape over = emit.summed(site);
  if (over.empty()) throw Error{.what = "a norm over one element", .where = {}, .right = {}};
  TensorId x = emit.operand(site, 0), scale = site.has(1) ? emit.operand(site, 1) : TensorId(), bias = site.has(2) ? emit.operand(site, 2) : TensorId();
  const double epsilon = site.node.real("epsilon", 1e-5);
  emit.nameNext(site);
  Made made{emit.build.layerNorm(x, over, scale, bias, epsilon)};
  const auto wanted = [&](std::size_t i) { return i < site.node.outputs.size() && site.node.outputs[i] >= 0; };
  if (!wanted(1) && !wanted(2)) return made;
  GraphBuilder& build = emit.build;
  made.push_back(build.mean(x, over));
  const TensorId variance = build.mean(build.unary(Function::square, build.minus(x, made[1])), over);
  made.push_back(build.unary(Function::rsqrt, build.plus(variance, epsilon)));
  return made;
}

// Per position -log softmax(scores)[label], or -logProbability[label]; weighted by class, without the label to ignore; then
// nothing, a sum, or a mean (of weights where there are some).
Made loss(Emitter& emit, const Site& site) {
  GraphBuilder& build = emit.build;
  TensorId scores = emit.operand(site, 0), labels = emit.operand(site, 1);
  Shape classes = emit.summed(site);
  if (classes.size() != 1) throw Error{.what = "a loss over one class", .where = {}, .right = {}};
  std::int64_t count = build.graph().size(classes[0]), ignored = site.node.integer("ignore_index", -1);
  // PyTorch writes -100 into every file; elsewhere it is meant.
  bool ignores = site.node.attributes.count("ignore_index") > 0 && ignored != -100;
  TensorId kept;
  if (ignores) {
    kept = build.binary(Function::notEqual, labels, static_cast<double>(ignored));
    if (ignored < 0 || ignored >= count) labels = build.select(kept, labels, 0.0);
  } else if (ignored == -100) {
    emit.result.notes.push_back("labels of -100 are not left out of the loss: they are outside the classes");
  }
  TensorId each;
  if (site.node.type == "SoftmaxCrossEntropyLoss") {
    each = build.crossEntropy(scores, classes[0], labels);
  } else {
    TensorId hit = build.binary(Function::equal, build.iota(classes[0], build.graph()[labels].dtype), labels);
    each = build.unary(Function::negate, build.sum(build.select(hit, scores, 0.0), classes));
  }
  TensorId weight;
  if (site.has(2)) weight = build.gather(emit.operand(site, 2), classes[0], labels);
  if (ignores) {
    TensorId counted = build.cast(kept, build.graph()[scores].dtype);
    weight = weight.valid() ? build.times(weight, counted) : counted;
  }
  if (weight.valid()) each = build.times(each, weight);
  std::string reduction = site.node.text("reduction", "mean");
  Shape positions = build.graph()[each].shape;
  if (reduction == "none" || positions.empty()) return {each};
  if (reduction == "sum" || weight.valid()) {
    TensorId total = build.sum(each, positions);
    return {reduction == "sum" ? total : build.over(total, build.sum(weight, positions))};
  }
  emit.nameNext(site);
  return {build.mean(each, positions)};
}

Made crossEntropy(Emitter& emit, const Site& site) {
  Made made = loss(emit, site);
  if (site.node.outputs.size() > 1 && site.node.outputs[1] >= 0) made.push_back(emit.build.logSoftmax(emit.operand(site, 0), emit.summed(site)[0]));
  return made;
}

}  // namespace

const std::map<std::string, EmitRule>& emitProducts() {
  static const std::map<std::string, EmitRule> table{{"MatMul", product}, {"Einsum", product}, {"Gemm", gemm}, {"Softmax", softmax}, {"LogSoftmax", softmax},
                                                     {"LayerNormalization", layerNorm}, {"SoftmaxCrossEntropyLoss", crossEntropy}, {"NegativeLogLikelihoodLoss", loss}};
  return table;
}

}  // namespace core
