#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/ops/expression_builder.h"
#include "core/ops/op.h"

// Functions of one and of two numbers as operators: each is a row of one of two tables.
// The operator's kind is the row's name. Operands broadcast by name.

namespace core {

enum class Accepts : std::uint8_t { floating, numbers, booleans, anything };
enum class Saves : std::uint8_t { nothing, input, output };  // what the derivative is made of

struct UnaryRow {
  Function function;
  std::string_view name;
  std::string_view summary;
  Accepts accepts = Accepts::floating;
  bool givesBoolean = false;
  Saves saves = Saves::nothing;
  Value (*derivative)(Value saved, double alpha) = nullptr;  // none: the derivative is zero or not asked for
  double alpha = 0;                                          // where the attribute is missing
};

struct BinaryRow {
  Function function;
  std::string_view name;
  std::string_view summary;
  std::string_view text;
  Accepts accepts = Accepts::numbers;
  bool givesBoolean = false;
  Value (*byLeft)(Value a, Value b) = nullptr;  // derivative by the first operand; none: zero
  Value (*byRight)(Value a, Value b) = nullptr;
};

std::span<const UnaryRow> unaryRows();
std::span<const BinaryRow> binaryRows();
const UnaryRow& rowOfUnary(Function function);
const BinaryRow& rowOfBinary(Function function);
std::string_view kindOf(Function function);  // the operator's kind: "exp", "add"
bool isUnary(Function function);
const UnaryRow* findUnary(std::string_view kind);  // null when there is none
const BinaryRow* findBinary(std::string_view kind);

std::span<const Op* const> elementwiseOps();  // one a row, then select and cast

// The union of the operands' dimensions: those of the operand with most first, then what the others add, in order.
Shape broadcastShape(const OperatorView& op);

}  // namespace core
