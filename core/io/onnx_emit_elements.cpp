#include <fmt/format.h>

#include "core/base/error.h"
#include "core/io/onnx_emitter.h"

// Element by element.

namespace core {
namespace {

using Site = Emitter::Site;
using Made = std::vector<TensorId>;

const std::map<std::string, Function>& functions() {
  using F = Function;
  static const std::map<std::string, Function> table{
      {"Neg", F::negate}, {"Abs", F::abs}, {"Sign", F::sign}, {"Exp", F::exp}, {"Log", F::log}, {"Sqrt", F::sqrt}, {"Reciprocal", F::reciprocal}, {"Sin", F::sin}, {"Cos", F::cos}, {"Tan", F::tan},
      {"Asin", F::asin}, {"Acos", F::acos}, {"Atan", F::atan}, {"Sinh", F::sinh}, {"Cosh", F::cosh}, {"Tanh", F::tanh}, {"Asinh", F::asinh}, {"Acosh", F::acosh}, {"Atanh", F::atanh},
      {"Erf", F::erf}, {"Sigmoid", F::sigmoid}, {"Softplus", F::softplus}, {"Relu", F::relu}, {"Floor", F::floor}, {"Ceil", F::ceil}, {"Round", F::round}, {"Not", F::logicalNot}, {"IsNaN", F::isNan},
      {"HardSwish", F::hardSwish}, {"Mish", F::mish},
      {"Add", F::add}, {"Sub", F::subtract}, {"Mul", F::multiply}, {"Div", F::divide}, {"Pow", F::power}, {"Max", F::maximum}, {"Min", F::minimum}, {"Sum", F::add}, {"Mean", F::add},
      {"And", F::logicalAnd}, {"Or", F::logicalOr}, {"Xor", F::logicalXor}, {"Equal", F::equal}, {"Less", F::less}, {"Greater", F::greater}, {"LessOrEqual", F::lessEqual}, {"GreaterOrEqual", F::greaterEqual}};
  return table;
}

Made unary(Emitter& emit, const Site& site) {
  TensorId x = emit.operand(site, 0);
  emit.nameNext(site);
  return {emit.build.unary(functions().at(site.node.type), x)};
}

// A known scalar is part of the operator, not a tensor.
TensorId apply(Emitter& emit, const Site& site, Function function, std::size_t a, std::size_t b) {
  std::optional<double> left = emit.number(site, a), right = emit.number(site, b);
  if (right) {
    TensorId x = emit.operand(site, a);
    emit.nameNext(site);
    return emit.build.binary(function, x, *right);
  }
  TensorId y = emit.operand(site, b);
  if (left) {
    emit.nameNext(site);
    return emit.build.binary(function, *left, y);
  }
  TensorId x = emit.operand(site, a);
  emit.nameNext(site);
  return emit.build.binary(function, x, y);
}

Made binary(Emitter& emit, const Site& site) { return {apply(emit, site, functions().at(site.node.type), 0, 1)}; }

// The square and the root are by far the most frequent powers.
Made power(Emitter& emit, const Site& site) {
  std::optional<double> exponent = emit.number(site, 1);
  TensorId x = emit.operand(site, 0);
  if (const DType type = emit.build.graph()[x].dtype; !exponent) {
    const TensorId given = emit.operand(site, 1);
    const DType other = emit.build.graph()[given].dtype;
    if (other == type) return binary(emit, site);
    // The result is of the base's type, whatever the exponent's.
    if (isFloating(type)) return {emit.build.binary(Function::power, x, emit.build.cast(given, type))};
    return {emit.build.cast(emit.build.binary(Function::power, emit.build.cast(x, DType::f64), emit.build.cast(given, DType::f64)), type)};
  }
  if (exponent != 2.0 && exponent != 0.5) return binary(emit, site);
  emit.nameNext(site);
  return {emit.build.unary(exponent == 2.0 ? Function::square : Function::sqrt, x)};
}

Made modulo(Emitter& emit, const Site& site) { return {apply(emit, site, site.node.integer("fmod", 0) ? Function::truncatedModulo : Function::floorModulo, 0, 1)}; }

Made variadic(Emitter& emit, const Site& site) {
  Function function = functions().at(site.node.type);
  if (site.inputs() == 2 && site.node.type != "Mean") return binary(emit, site);
  TensorId y = emit.operand(site, 0);
  for (std::size_t i = 1; i < site.inputs(); ++i) y = emit.build.binary(function, y, emit.operand(site, i));
  if (site.node.type == "Mean") y = emit.build.times(y, 1.0 / static_cast<double>(site.inputs()));
  return {y};
}

Made where(Emitter& emit, const Site& site) {
  TensorId condition = emit.operand(site, 0);
  std::optional<double> yes = emit.number(site, 1), no = emit.number(site, 2);
  if (yes && no) {
    TensorId other = emit.build.scalar(*no, emit.outputType(site));
    emit.nameNext(site);
    return {emit.build.select(condition, *yes, other)};
  }
  TensorId a = yes ? TensorId() : emit.operand(site, 1), b = no ? TensorId() : emit.operand(site, 2);
  emit.nameNext(site);
  if (yes) return {emit.build.select(condition, *yes, b)};
  if (no) return {emit.build.select(condition, a, *no)};
  return {emit.build.select(condition, a, b)};
}

Made cast(Emitter& emit, const Site& site) {
  TensorId x = emit.operand(site, 0);
  if (emit.build.graph()[x].dtype == emit.outputType(site)) return {x};
  emit.nameNext(site);
  return {emit.build.cast(x, emit.outputType(site))};
}

// max(low, min(high, x)), bounds by attribute (opset < 11) or input.
Made clip(Emitter& emit, const Site& site) {
  TensorId y = emit.operand(site, 0);
  for (std::size_t i : {1, 2}) {
    const char* name = i == 1 ? "min" : "max";
    Function function = i == 1 ? Function::maximum : Function::minimum;
    if (auto bound = emit.number(site, i)) y = emit.build.binary(function, y, *bound);
    else if (site.has(i)) y = emit.build.binary(function, y, emit.operand(site, i));
    else if (site.node.attributes.count(name)) y = emit.build.binary(function, y, site.node.real(name, 0));
  }
  return {y};
}

Made leaky(Emitter& emit, const Site& site) {
  TensorId x = emit.operand(site, 0);
  emit.nameNext(site);
  return {emit.build.unary(Function::leakyRelu, x, site.node.real("alpha", 0.01))};
}

Made elu(Emitter& emit, const Site& site) {
  TensorId x = emit.operand(site, 0);
  emit.nameNext(site);
  return {emit.build.unary(Function::elu, x, site.node.real("alpha", 1))};
}

// x > 0 ? gamma x : gamma alpha (exp x - 1)
Made selu(Emitter& emit, const Site& site) {
  TensorId x = emit.build.unary(Function::elu, emit.operand(site, 0), site.node.real("alpha", 1.67326319217681884765625));
  return {emit.build.times(x, site.node.real("gamma", 1.05070102214813232421875))};
}

Made celu(Emitter& emit, const Site& site) {
  double alpha = site.node.real("alpha", 1);
  TensorId x = emit.operand(site, 0);
  TensorId low = emit.build.times(emit.build.unary(Function::expm1, emit.build.times(x, 1 / alpha)), alpha);
  return {emit.build.select(emit.build.binary(Function::less, x, 0.0), low, x)};
}

Made hardSigmoid(Emitter& emit, const Site& site) {
  TensorId x = emit.build.plus(emit.build.times(emit.operand(site, 0), site.node.real("alpha", 0.2)), site.node.real("beta", 0.5));
  return {emit.build.binary(Function::minimum, emit.build.binary(Function::maximum, x, 0.0), 1.0)};
}

Made thresholded(Emitter& emit, const Site& site) {
  TensorId x = emit.operand(site, 0);
  return {emit.build.select(emit.build.binary(Function::greater, x, site.node.real("alpha", 1)), x, 0.0)};
}

Made softsign(Emitter& emit, const Site& site) {
  TensorId x = emit.operand(site, 0);
  return {emit.build.over(x, emit.build.plus(emit.build.unary(Function::abs, x), 1.0))};
}

Made gelu(Emitter& emit, const Site& site) {
  TensorId x = emit.operand(site, 0);
  emit.nameNext(site);
  return {emit.build.unary(site.node.text("approximate", "none") == "tanh" ? Function::geluTanh : Function::gelu, x)};
}

Made prelu(Emitter& emit, const Site& site) {
  TensorId x = emit.operand(site, 0), low;
  if (auto slope = emit.number(site, 1)) low = emit.build.times(x, *slope);
  else low = emit.build.times(emit.operand(site, 1), x);
  return {emit.build.select(emit.build.binary(Function::less, x, 0.0), low, x)};
}

Made isInfinite(Emitter& emit, const Site& site) {
  const bool negative = site.node.integer("detect_negative", 1) != 0, positive = site.node.integer("detect_positive", 1) != 0;
  const TensorId x = emit.operand(site, 0), infinite = emit.build.unary(Function::isInf, x);
  if (negative == positive) return {negative ? infinite : emit.build.binary(Function::logicalXor, infinite, infinite)};
  return {emit.build.binary(Function::logicalAnd, infinite, emit.build.binary(negative ? Function::less : Function::greater, x, 0.0))};
}

// Towards zero by the bias, and zero between.
Made shrink(Emitter& emit, const Site& site) {
  GraphBuilder& build = emit.build;
  const TensorId x = emit.operand(site, 0);
  const double bound = site.node.real("lambd", 0.5), bias = site.node.real("bias", 0);
  const TensorId high = build.select(build.binary(Function::greater, x, bound), build.plus(x, -bias), 0.0);
  return {build.select(build.binary(Function::less, x, -bound), build.plus(x, bias), high)};
}

// ONNX: (x - E x) / (sqrt(E x^2 - (E x)^2) + 1e-9)
Made meanVariance(Emitter& emit, const Site& site) {
  GraphBuilder& build = emit.build;
  const TensorId x = emit.operand(site, 0);
  const naming::Axes& axes = site.relation.operands[0].axes;
  Shape over;
  for (std::int64_t axis : site.node.integers("axes").value_or(std::vector<std::int64_t>{0, 2, 3}))
    for (DimId dim : emit.shape(axes.at(static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(axes.size()) : axis)))) over.push_back(dim);
  if (over.empty()) throw Error{.what = "a norm over one element", .where = {}, .right = {}};
  const TensorId mean = build.mean(x, over), square = build.mean(build.unary(Function::square, x), over);
  const TensorId deviation = build.unary(Function::sqrt, build.minus(square, build.unary(Function::square, mean)));
  return {build.over(build.minus(x, mean), build.plus(deviation, 1e-9))};
}

}  // namespace

const std::map<std::string, EmitRule>& emitElements() {
  static const std::map<std::string, EmitRule> table = [] {
    std::map<std::string, EmitRule> all;
    for (const auto& [name, function] : functions()) all[name] = function >= Function::add ? binary : unary;
    for (const char* name : {"Max", "Min", "Sum", "Mean"}) all[name] = variadic;
    const std::map<std::string, EmitRule> own{{"Pow", power}, {"Mod", modulo}, {"Where", where}, {"Cast", cast}, {"Clip", clip}, {"LeakyRelu", leaky}, {"Elu", elu}, {"Selu", selu}, {"Celu", celu},
                                              {"HardSigmoid", hardSigmoid}, {"ThresholdedRelu", thresholded}, {"Softsign", softsign}, {"Gelu", gelu}, {"PRelu", prelu}, {"IsInf", isInfinite}, {"CastLike", cast}, {"Shrink", shrink}, {"MeanVarianceNormalization", meanVariance}};
    for (const auto& [name, rule] : own) all[name] = rule;
    return all;
  }();
  return table;
}

}  // namespace core
