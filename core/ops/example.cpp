#include "core/ops/example.h"

#include "core/ops/builder.h"
#include "core/ops/elementwise.h"

namespace core {
namespace {

// What the function is defined for, made of any number.
TensorId within(GraphBuilder& build, Function function, TensorId x) {
  switch (function) {
    case Function::log:
    case Function::sqrt:
    case Function::rsqrt:
    case Function::reciprocal:
    case Function::log1p:
      return build.unary(Function::exp, x);
    case Function::acosh:
      return build.plus(build.unary(Function::exp, x), 1.5);
    case Function::asin:
    case Function::acos:
    case Function::atanh:
      return build.times(build.unary(Function::tanh, x), 0.9);
    default:
      return x;
  }
}

TensorId operand(GraphBuilder& build, const BinaryRow& row, const std::string& name, std::string_view shape,
                 bool right) {
  const TensorId x = build.input(name, shape);
  if (row.accepts == Accepts::booleans) return build.binary(Function::greater, x, 0.0);
  if (row.function == Function::power && !right) return build.unary(Function::exp, x);
  const bool divisor = row.function == Function::divide || row.function == Function::floorDivide ||
                       row.function == Function::floorModulo || row.function == Function::truncatedModulo;
  return divisor && right ? build.plus(build.unary(Function::exp, x), 0.5) : x;
}

}  // namespace

Graph example(const std::function<TensorId(GraphBuilder&)>& build) {
  GraphBuilder builder;
  builder.output(build(builder));
  return builder.take();
}

TensorId rowsInput(GraphBuilder& build, const std::string& name, std::string_view shape, std::int64_t size) {
  return build.binary(Function::floorModulo, build.input(name, shape, DType::i64), static_cast<double>(size));
}

std::vector<Graph> unaryExamples(const UnaryRow& row) {
  const auto make = [&row](std::string_view shape) {
    return example([&](GraphBuilder& build) {
      TensorId x = build.input("x", shape);
      if (row.accepts == Accepts::booleans) x = build.binary(Function::greater, x, 0.0);
      return build.unary(row.function, within(build, row.function, x));
    });
  };
  return {make("a:4 b:6"), make("a:5 b:3")};
}

std::vector<Graph> binaryExamples(const BinaryRow& row) {
  const auto make = [&row](std::string_view left, std::string_view right) {
    return example([&](GraphBuilder& build) {
      const TensorId a = operand(build, row, "a", left, false), b = operand(build, row, "b", right, true);
      return build.binary(row.function, a, b);
    });
  };
  std::vector<Graph> made{make("i:4 j:6", "i:4 j:6"), make("i:5 j:3", "j:3"), make("i:3", "j:5")};
  if (row.accepts != Accepts::booleans)
    made.push_back(example(
        [&](GraphBuilder& build) { return build.binary(row.function, operand(build, row, "a", "i:4", false), 2.0); }));
  return made;
}

}  // namespace core
