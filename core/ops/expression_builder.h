#pragma once

#include <string>
#include <vector>

#include "core/ops/op.h"
#include "core/tdl/expression.h"

// Makes the bound expression of one operator, without a detour through text.
//
//   ExpressionBuilder y(op);                                   // y[i,j] = sum(k) a[i,k] * b[k,j]
//   y.outputLoops({i, j});
//   y.reducedLoops({k}, Reduction::sum);
//   y.result(sum(y.read(0) * y.read(1), {k}));

namespace core {

class ExpressionBuilder;

// A node on its way into an expression; arithmetic on it adds nodes.
struct Value {
  ExpressionBuilder* builder = nullptr;
  int node = -1;
};

class ExpressionBuilder {
 public:
  // Operands are named for printing: "x", "scale"; further ones by their number.
  explicit ExpressionBuilder(const OperatorView& op, std::vector<std::string> operands = {});

  // Loops over dimensions; an operand's axis is read by the loop over its dimension where nothing else is said.
  void outputLoops(const Shape& dims);
  void reducedLoops(const Shape& dims, Reduction reduction);
  int lookupLoop(DimId dim);      // stands for the rows of a table
  int loopOver(DimId dim) const;  // Error when there is none
  Shape shape(std::size_t operand) const { return op_.shape(operand); }

  Value constant(double value);
  Value index(DimId dim);                                    // the number of the loop
  Value read(std::size_t operand);                           // every axis by its loop
  Value read(std::size_t operand, DimId dim, AxisIndex at);  // this axis there
  Value read(std::size_t operand, std::vector<AxisIndex> at, Value otherwise = {});
  Value random(const std::string& seed);                     // uniform in [0,1), counted over the output
  std::vector<AxisIndex> axesOf(std::size_t operand) const;  // every axis by its loop; to be changed before a read

  static AxisIndex at(int loop, std::int64_t factor = 1, std::int64_t offset = 0);
  static AxisIndex lookup(Value row, int loop);

  void result(Value root, DType type, std::string name = "y");
  Expression take() { return std::move(made_); }

  Value add(Node node);

 private:
  AxisIndex byLoop(DimId dim) const;

  const OperatorView& op_;
  Expression made_;
  std::vector<int> outputLoops_;
};

Value apply(Function function, Value a, double alpha = 0);
Value apply(Function function, Value a, Value b);
Value select(Value condition, Value yes, Value no);
Value cast(Value a, DType type);
Value reduce(Reduction reduction, Value a, const Shape& over);

inline Value operator+(Value a, Value b) {
  return apply(Function::add, a, b);
}
inline Value operator-(Value a, Value b) {
  return apply(Function::subtract, a, b);
}
inline Value operator*(Value a, Value b) {
  return apply(Function::multiply, a, b);
}
inline Value operator/(Value a, Value b) {
  return apply(Function::divide, a, b);
}
inline Value operator-(Value a) {
  return apply(Function::negate, a);
}
Value operator+(Value a, double b);
Value operator-(Value a, double b);
Value operator-(double a, Value b);
Value operator*(Value a, double b);
Value operator/(double a, Value b);
Value operator<(Value a, double b);
Value operator>(Value a, double b);
Value operator==(Value a, Value b);

}  // namespace core
