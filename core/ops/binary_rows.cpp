#include "core/ops/elementwise.h"

// Functions of two numbers, and their derivatives by each.

namespace core {
namespace {

using F = Function;

Value constant(Value like, double value) {
  return like.builder->constant(value);
}

// Where both are equal each gets one half.
Value share(Value wins, Value equal) {
  return select(wins, constant(wins, 1), select(equal, constant(wins, 0.5), constant(wins, 0)));
}

Value quotient(Function modulo, Value a, Value b) {
  return (a - apply(modulo, a, b)) / b;
}

const std::vector<BinaryRow>& rows() {
  using enum Accepts;
  static const std::vector<BinaryRow> all{
      {F::add, "add", "The sum.", "y[*i] = a[*i] + b[*i]", numbers, false,
       [](Value a, Value) { return constant(a, 1); }, [](Value, Value b) { return constant(b, 1); }},
      {F::subtract, "subtract", "The difference.", "y[*i] = a[*i] - b[*i]", numbers, false,
       [](Value a, Value) { return constant(a, 1); }, [](Value, Value b) { return constant(b, -1); }},
      {F::multiply, "multiply", "The product.", "y[*i] = a[*i] * b[*i]", numbers, false,
       [](Value, Value b) { return b; }, [](Value a, Value) { return a; }},
      {F::divide, "divide", "The quotient; of integers without the fraction.", "y[*i] = a[*i] / b[*i]", numbers, false,
       [](Value, Value b) { return apply(F::reciprocal, b); },
       [](Value a, Value b) { return -(a / apply(F::square, b)); }},
      {F::power, "power", "a to the power of b.", "y[*i] = power(a[*i], b[*i])", numbers, false,
       [](Value a, Value b) { return b * apply(F::power, a, b - 1); },
       [](Value a, Value b) { return select(a > 0, apply(F::power, a, b) * apply(F::log, a), constant(a, 0)); }},
      {F::maximum, "maximum", "The greater of two; equal ones share the gradient.", "y[*i] = maximum(a[*i], b[*i])",
       numbers, false, [](Value a, Value b) { return share(apply(F::greater, a, b), a == b); },
       [](Value a, Value b) { return share(apply(F::less, a, b), a == b); }},
      {F::minimum, "minimum", "The lesser of two; equal ones share the gradient.", "y[*i] = minimum(a[*i], b[*i])",
       numbers, false, [](Value a, Value b) { return share(apply(F::less, a, b), a == b); },
       [](Value a, Value b) { return share(apply(F::greater, a, b), a == b); }},
      {F::floorDivide, "floor_divide", "The quotient, rounded down.", "y[*i] = floor(a[*i] / b[*i])", numbers},
      {F::floorModulo, "floor_modulo", "What floor_divide leaves; has the sign of b.",
       "y[*i] = a[*i] - b[*i] * floor(a[*i] / b[*i])", numbers, false, [](Value a, Value) { return constant(a, 1); },
       [](Value a, Value b) { return -quotient(F::floorModulo, a, b); }},
      {F::truncatedModulo, "truncated_modulo", "What division towards zero leaves; has the sign of a.",
       "y[*i] = truncated_modulo(a[*i], b[*i])", numbers, false, [](Value a, Value) { return constant(a, 1); },
       [](Value a, Value b) { return -quotient(F::truncatedModulo, a, b); }},
      {F::less, "less", "True where a < b.", "y[*i] = a[*i] < b[*i]", numbers, true},
      {F::lessEqual, "less_equal", "True where a <= b.", "y[*i] = a[*i] <= b[*i]", numbers, true},
      {F::greater, "greater", "True where a > b.", "y[*i] = a[*i] > b[*i]", numbers, true},
      {F::greaterEqual, "greater_equal", "True where a >= b.", "y[*i] = a[*i] >= b[*i]", numbers, true},
      {F::equal, "equal", "True where a and b are equal.", "y[*i] = a[*i] == b[*i]", anything, true},
      {F::notEqual, "not_equal", "True where a and b differ.", "y[*i] = a[*i] != b[*i]", anything, true},
      {F::logicalAnd, "logical_and", "True where both are.", "y[*i] = a[*i] and b[*i]", booleans, true},
      {F::logicalOr, "logical_or", "True where one of them is.", "y[*i] = a[*i] or b[*i]", booleans, true},
      {F::logicalXor, "logical_xor", "True where exactly one is.", "y[*i] = a[*i] xor b[*i]", booleans, true},
  };
  return all;
}

}  // namespace

std::span<const BinaryRow> binaryRows() {
  return rows();
}

}  // namespace core
