#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/tdl/expression.h"

// One table of all functions of one and two numbers: name, sign, value. Their derivatives stand in core/ops.

namespace core {

struct FunctionRow {
  Function function;
  std::string_view name;  // "multiply", "log1p": as in text
  int arity = 1;
  std::string_view sign;            // "*"; empty: written name(a, b). negate has "-"
  int precedence = 0;               // of the sign; higher binds closer
  bool boolean = false;             // comparisons, logic and predicates: the result is 0 or 1 and costs no flop
  std::optional<double> parameter;  // elu, leakyRelu, hardSigmoid: the usual value of Node::value
};

std::span<const FunctionRow> allFunctions();  // in the order of the enum
const FunctionRow& rowOf(Function function);
std::optional<Function> findFunction(std::string_view name);
std::string_view toString(Function function);

// Predicates give 0 or 1; any number but 0 counts as true. NaN passes through maximum, minimum and relu.
double valueOf(Function function, double a, double parameter = 0);  // arity 1
double valueOf2(Function function, double a, double b);             // arity 2
std::int64_t flopsOf(Function function);  // of one element: 0 for comparison, logic and identity, else 1

namespace precedence {
inline constexpr int logicalOr = 1, logicalAnd = 2, equality = 3, order = 4, sum = 5, product = 6, prefix = 7, atom = 8;
}

}  // namespace core
