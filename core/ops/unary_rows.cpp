#include <cmath>
#include <numbers>

#include "core/ops/elementwise.h"

// Functions of one number. A derivative is written in what the forward step keeps: its input x or its output y.

namespace core {
namespace {

using F = Function;

constexpr double seluScale = 1.0507009873554805;
constexpr double seluAlpha = 1.6732632423543772;

Value of(Function function, Value x) {
  return apply(function, x);
}
Value squared(Value x) {
  return apply(F::square, x);
}
Value one(Value x) {
  return x.builder->constant(1);
}
Value zero(Value x) {
  return x.builder->constant(0);
}

Value gelu(Value x, double) {
  const Value density = of(F::exp, squared(x) * -0.5) * (1 / std::sqrt(2 * std::numbers::pi));
  return (of(F::erf, x * (std::numbers::sqrt2 / 2)) + 1) * 0.5 + x * density;
}

Value geluTanh(Value x, double) {
  const double c = std::sqrt(2 / std::numbers::pi);
  const Value t = of(F::tanh, (x + x * squared(x) * 0.044715) * c);
  const Value slope = (squared(x) * (3 * 0.044715) + 1) * c;
  return (t + 1) * 0.5 + x * 0.5 * (1.0 - squared(t)) * slope;
}

Value silu(Value x, double) {
  const Value s = of(F::sigmoid, x);
  return s * (x * (1.0 - s) + 1);
}

Value mish(Value x, double) {
  const Value t = of(F::tanh, of(F::softplus, x));
  return t + x * of(F::sigmoid, x) * (1.0 - squared(t));
}

Value hardSigmoid(Value x, double alpha) {
  return select(apply(F::abs, x) < 0.5 / alpha, x.builder->constant(alpha), zero(x));
}

Value hardSwish(Value x, double) {
  return select(x < -3, zero(x), select(x > 3, one(x), x * (1.0 / 3) + 0.5));
}

const std::vector<UnaryRow>& rows() {
  using enum Accepts;
  static const std::vector<UnaryRow> all{
      {F::identity, "identity", "The same values under another name.", anything, false, Saves::nothing,
       [](Value x, double) { return one(x); }},
      {F::negate, "negate", "The negative.", numbers, false, Saves::nothing, [](Value x, double) { return -one(x); }},
      {F::abs, "abs", "The absolute value.", numbers, false, Saves::input,
       [](Value x, double) { return of(F::sign, x); }},
      {F::sign, "sign", "-1, 0 or 1.", numbers},
      {F::exp, "exp", "e to the power of x.", floating, false, Saves::output, [](Value y, double) { return y; }},
      {F::log, "log", "The natural logarithm.", floating, false, Saves::input,
       [](Value x, double) { return of(F::reciprocal, x); }},
      {F::log1p, "log1p", "log(1 + x), exact near 0.", floating, false, Saves::input,
       [](Value x, double) { return of(F::reciprocal, x + 1); }},
      {F::expm1, "expm1", "exp(x) - 1, exact near 0.", floating, false, Saves::output,
       [](Value y, double) { return y + 1; }},
      {F::sqrt, "sqrt", "The square root.", floating, false, Saves::output, [](Value y, double) { return 0.5 / y; }},
      {F::rsqrt, "rsqrt", "1 / sqrt(x).", floating, false, Saves::output,
       [](Value y, double) { return y * squared(y) * -0.5; }},
      {F::reciprocal, "reciprocal", "1 / x.", floating, false, Saves::output,
       [](Value y, double) { return -squared(y); }},
      {F::square, "square", "x times x.", numbers, false, Saves::input, [](Value x, double) { return x * 2; }},
      {F::sin, "sin", "The sine.", floating, false, Saves::input, [](Value x, double) { return of(F::cos, x); }},
      {F::cos, "cos", "The cosine.", floating, false, Saves::input, [](Value x, double) { return -of(F::sin, x); }},
      {F::tan, "tan", "The tangent.", floating, false, Saves::output, [](Value y, double) { return squared(y) + 1; }},
      {F::asin, "asin", "The inverse sine.", floating, false, Saves::input,
       [](Value x, double) { return of(F::rsqrt, 1.0 - squared(x)); }},
      {F::acos, "acos", "The inverse cosine.", floating, false, Saves::input,
       [](Value x, double) { return -of(F::rsqrt, 1.0 - squared(x)); }},
      {F::atan, "atan", "The inverse tangent.", floating, false, Saves::input,
       [](Value x, double) { return of(F::reciprocal, squared(x) + 1); }},
      {F::sinh, "sinh", "The hyperbolic sine.", floating, false, Saves::input,
       [](Value x, double) { return of(F::cosh, x); }},
      {F::cosh, "cosh", "The hyperbolic cosine.", floating, false, Saves::input,
       [](Value x, double) { return of(F::sinh, x); }},
      {F::tanh, "tanh", "The hyperbolic tangent.", floating, false, Saves::output,
       [](Value y, double) { return 1.0 - squared(y); }},
      {F::asinh, "asinh", "The inverse hyperbolic sine.", floating, false, Saves::input,
       [](Value x, double) { return of(F::rsqrt, squared(x) + 1); }},
      {F::acosh, "acosh", "The inverse hyperbolic cosine.", floating, false, Saves::input,
       [](Value x, double) { return of(F::rsqrt, squared(x) - 1); }},
      {F::atanh, "atanh", "The inverse hyperbolic tangent.", floating, false, Saves::input,
       [](Value x, double) { return of(F::reciprocal, 1.0 - squared(x)); }},
      {F::erf, "erf", "The error function.", floating, false, Saves::input,
       [](Value x, double) { return of(F::exp, -squared(x)) * (2 / std::sqrt(std::numbers::pi)); }},
      {F::sigmoid, "sigmoid", "1 / (1 + exp(-x)).", floating, false, Saves::output,
       [](Value y, double) { return y * (1.0 - y); }},
      {F::softplus, "softplus", "log(1 + exp(x)).", floating, false, Saves::input,
       [](Value x, double) { return of(F::sigmoid, x); }},
      {F::relu, "relu", "x where it is positive, else 0.", numbers, false, Saves::output,
       [](Value y, double) { return select(y > 0, one(y), zero(y)); }},
      {F::floor, "floor", "The next integer below.", floating},
      {F::ceil, "ceil", "The next integer above.", floating},
      {F::round, "round", "The nearest integer, halves to the even one.", floating},
      {F::logicalNot, "logical_not", "True where x is false.", booleans, true},
      {F::isNan, "is_nan", "True where x is not a number.", floating, true},
      {F::isInf, "is_inf", "True where x is infinite.", floating, true},
      {F::elu, "elu", "x where it is positive, else alpha * (exp(x) - 1).", floating, false, Saves::input,
       [](Value x, double alpha) { return select(x > 0, one(x), of(F::exp, x) * alpha); }, 1},
      {F::selu, "selu", "The self-normalising exponential unit.", floating, false, Saves::input,
       [](Value x, double) {
         return select(x > 0, x.builder->constant(seluScale), of(F::exp, x) * (seluScale * seluAlpha));
       }},
      {F::leakyRelu, "leaky_relu", "x where it is positive, else alpha * x.", floating, false, Saves::input,
       [](Value x, double alpha) { return select(x > 0, one(x), x.builder->constant(alpha)); }, 0.01},
      {F::hardSigmoid, "hard_sigmoid", "alpha * x + 0.5, kept within 0 and 1.", floating, false, Saves::input,
       hardSigmoid, 0.2},
      {F::hardSwish, "hard_swish", "x * (x / 6 + 0.5), the factor kept within 0 and 1.", floating, false, Saves::input,
       hardSwish},
      {F::gelu, "gelu", "x times the normal distribution's share below x.", floating, false, Saves::input, gelu},
      {F::geluTanh, "gelu_tanh", "GELU by its tanh approximation.", floating, false, Saves::input, geluTanh},
      {F::silu, "silu", "x * sigmoid(x).", floating, false, Saves::input, silu},
      {F::mish, "mish", "x * tanh(softplus(x)).", floating, false, Saves::input, mish},
  };
  return all;
}

}  // namespace

std::span<const UnaryRow> unaryRows() {
  return rows();
}

}  // namespace core
