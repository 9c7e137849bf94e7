#include "core/tdl/function.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numbers>

namespace core {
namespace {

using F = Function;

constexpr FunctionRow plain(F function, std::string_view name) {
  return {function, name};
}
constexpr FunctionRow predicate(F function, std::string_view name) {
  return {function, name, 1, "", 0, true, {}};
}
constexpr FunctionRow tuned(F function, std::string_view name, double parameter) {
  return {function, name, 1, "", 0, false, parameter};
}
constexpr FunctionRow two(F function, std::string_view name) {
  return {function, name, 2};
}
constexpr FunctionRow infix(F function, std::string_view name, std::string_view sign, int level) {
  return {function, name, 2, sign, level, false, {}};
}
constexpr FunctionRow test(F function, std::string_view name, std::string_view sign, int level) {
  return {function, name, 2, sign, level, true, {}};
}

constexpr std::array rows{
    plain(F::identity, "identity"),
    FunctionRow{F::negate, "negate", 1, "-", precedence::prefix, false, {}},
    plain(F::abs, "abs"),
    plain(F::sign, "sign"),
    plain(F::exp, "exp"),
    plain(F::log, "log"),
    plain(F::log1p, "log1p"),
    plain(F::expm1, "expm1"),
    plain(F::sqrt, "sqrt"),
    plain(F::rsqrt, "rsqrt"),
    plain(F::reciprocal, "reciprocal"),
    plain(F::square, "square"),
    plain(F::sin, "sin"),
    plain(F::cos, "cos"),
    plain(F::tan, "tan"),
    plain(F::asin, "asin"),
    plain(F::acos, "acos"),
    plain(F::atan, "atan"),
    plain(F::sinh, "sinh"),
    plain(F::cosh, "cosh"),
    plain(F::tanh, "tanh"),
    plain(F::asinh, "asinh"),
    plain(F::acosh, "acosh"),
    plain(F::atanh, "atanh"),
    plain(F::erf, "erf"),
    plain(F::sigmoid, "sigmoid"),
    plain(F::softplus, "softplus"),
    plain(F::relu, "relu"),
    plain(F::floor, "floor"),
    plain(F::ceil, "ceil"),
    plain(F::round, "round"),
    predicate(F::logicalNot, "not"),
    predicate(F::isNan, "isNan"),
    predicate(F::isInf, "isInf"),
    tuned(F::elu, "elu", 1),
    plain(F::selu, "selu"),
    tuned(F::leakyRelu, "leakyRelu", 0.01),
    tuned(F::hardSigmoid, "hardSigmoid", 0.2),
    plain(F::hardSwish, "hardSwish"),
    plain(F::gelu, "gelu"),
    plain(F::geluTanh, "geluTanh"),
    plain(F::silu, "silu"),
    plain(F::mish, "mish"),
    infix(F::add, "add", "+", precedence::sum),
    infix(F::subtract, "subtract", "-", precedence::sum),
    infix(F::multiply, "multiply", "*", precedence::product),
    infix(F::divide, "divide", "/", precedence::product),
    two(F::power, "power"),
    two(F::maximum, "maximum"),
    two(F::minimum, "minimum"),
    two(F::floorDivide, "floorDivide"),
    two(F::floorModulo, "floorModulo"),
    two(F::truncatedModulo, "truncatedModulo"),
    test(F::less, "less", "<", precedence::order),
    test(F::lessEqual, "lessEqual", "<=", precedence::order),
    test(F::greater, "greater", ">", precedence::order),
    test(F::greaterEqual, "greaterEqual", ">=", precedence::order),
    test(F::equal, "equal", "==", precedence::equality),
    test(F::notEqual, "notEqual", "!=", precedence::equality),
    test(F::logicalAnd, "logicalAnd", "&&", precedence::logicalAnd),
    test(F::logicalOr, "logicalOr", "||", precedence::logicalOr),
    FunctionRow{F::logicalXor, "logicalXor", 2, "", 0, true, {}},
};
static_assert(rows.size() == static_cast<std::size_t>(F::logicalXor) + 1);
static_assert([] {
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (static_cast<std::size_t>(rows[i].function) != i) return false;
  return true;
}());

// Neither overflows for numbers of great size.
double sigmoid(double x) {
  return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x));
}
double softplus(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}

double elu(double x, double alpha) {
  return x > 0 ? x : alpha * std::expm1(x);
}

double selu(double x) {
  constexpr double alpha = 1.6732632423543772848170429916717, scale = 1.0507009873554804934193349852946;
  return scale * elu(x, alpha);
}

double geluTanh(double x) {
  const double inner = std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x);
  return 0.5 * x * (1 + std::tanh(inner));
}

double sign(double x) {
  return x > 0 ? 1 : x < 0 ? -1 : x;
}

}  // namespace

std::span<const FunctionRow> allFunctions() {
  return rows;
}

const FunctionRow& rowOf(Function function) {
  return rows[static_cast<std::size_t>(function)];
}

std::optional<Function> findFunction(std::string_view name) {
  for (const FunctionRow& row : rows)
    if (row.name == name) return row.function;
  return std::nullopt;
}

std::string_view toString(Function function) {
  return rowOf(function).name;
}

double valueOf(Function function, double x, double parameter) {
  switch (function) {
    case F::identity:
      return x;
    case F::negate:
      return -x;
    case F::abs:
      return std::abs(x);
    case F::sign:
      return sign(x);
    case F::exp:
      return std::exp(x);
    case F::log:
      return std::log(x);
    case F::log1p:
      return std::log1p(x);
    case F::expm1:
      return std::expm1(x);
    case F::sqrt:
      return std::sqrt(x);
    case F::rsqrt:
      return 1 / std::sqrt(x);
    case F::reciprocal:
      return 1 / x;
    case F::square:
      return x * x;
    case F::sin:
      return std::sin(x);
    case F::cos:
      return std::cos(x);
    case F::tan:
      return std::tan(x);
    case F::asin:
      return std::asin(x);
    case F::acos:
      return std::acos(x);
    case F::atan:
      return std::atan(x);
    case F::sinh:
      return std::sinh(x);
    case F::cosh:
      return std::cosh(x);
    case F::tanh:
      return std::tanh(x);
    case F::asinh:
      return std::asinh(x);
    case F::acosh:
      return std::acosh(x);
    case F::atanh:
      return std::atanh(x);
    case F::erf:
      return std::erf(x);
    case F::sigmoid:
      return sigmoid(x);
    case F::softplus:
      return softplus(x);
    case F::relu:
      return x < 0 ? 0 : x;
    case F::floor:
      return std::floor(x);
    case F::ceil:
      return std::ceil(x);
    case F::round:
      return std::nearbyint(x);  // halves to even
    case F::logicalNot:
      return x == 0;
    case F::isNan:
      return std::isnan(x);
    case F::isInf:
      return std::isinf(x);
    case F::elu:
      return elu(x, parameter);
    case F::selu:
      return selu(x);
    case F::leakyRelu:
      return x < 0 ? parameter * x : x;
    case F::hardSigmoid:
      return std::clamp(parameter * x + 0.5, 0.0, 1.0);
    case F::hardSwish:
      return x * std::clamp(x / 6 + 0.5, 0.0, 1.0);
    case F::gelu:
      return 0.5 * x * (1 + std::erf(x / std::numbers::sqrt2));
    case F::geluTanh:
      return geluTanh(x);
    case F::silu:
      return x * sigmoid(x);
    case F::mish:
      return x * std::tanh(softplus(x));
    default:
      assert(false && "a function of two numbers got one");
      return 0;
  }
}

double valueOf2(Function function, double a, double b) {
  switch (function) {
    case F::add:
      return a + b;
    case F::subtract:
      return a - b;
    case F::multiply:
      return a * b;
    case F::divide:
      return a / b;
    case F::power:
      return std::pow(a, b);
    case F::maximum:
      return a > b || std::isnan(a) ? a : b;
    case F::minimum:
      return a < b || std::isnan(a) ? a : b;
    case F::floorDivide:
      return std::floor(a / b);
    case F::floorModulo: {
      const double rest = std::fmod(a, b);
      return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
    }
    case F::truncatedModulo:
      return std::fmod(a, b);
    case F::less:
      return a < b;
    case F::lessEqual:
      return a <= b;
    case F::greater:
      return a > b;
    case F::greaterEqual:
      return a >= b;
    case F::equal:
      return a == b;
    case F::notEqual:
      return a != b;
    case F::logicalAnd:
      return a != 0 && b != 0;
    case F::logicalOr:
      return a != 0 || b != 0;
    case F::logicalXor:
      return (a != 0) != (b != 0);
    default:
      assert(false && "a function of one number got two");
      return 0;
  }
}

std::int64_t flopsOf(Function function) {
  return function == F::identity || rowOf(function).boolean ? 0 : 1;
}

}  // namespace core
