#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/graph/graph.h"

// The meaning of an operator as an index expression (after Tofu's tensor description language,
// Wang et al., "Supporting Very Large Models using Automatic Dataflow Graph Partitioning", EuroSys 2019).
//
//   matmul   y[i,j]   = sum(k) a[i,k] * b[k,j]
//   lookup   y[b,d]   = table[ids[b], d]
//
// This is the bound form: loops have extents, operands are numbers. Everything that is known of an
// operator (shapes, legal splits, halos, flops, a naive evaluator) follows from it.

namespace core {

enum class Reduction : std::uint8_t { sum, product, max, min, logicalAnd, logicalOr };
double identityOf(Reduction reduction);          // 0, 1, -inf, inf, 1, 0
std::string_view toString(Reduction reduction);  // "sum", "product", "max", "min", "and", "or"

// A loop of the output, a reduced loop, or the implicit loop over the rows of a table that a lookup reads
// (y[b] = table[ids[b]] is sum(v) select(ids[b] == v, table[v], 0), computed without the loop).
struct Loop {
  enum class Kind : std::uint8_t { output, reduced, lookup };
  std::string name;
  DimId dim;  // the dimension that the loop runs over, if it has one
  std::int64_t extent = 0;
  Kind kind = Kind::output;
  Reduction reduction = Reduction::sum;  // of a reduced loop; sum for a lookup
  bool operator==(const Loop&) const = default;
};

struct LoopTerm {
  int loop = 0;
  std::int64_t factor = 1;
  bool operator==(const LoopTerm&) const = default;
};

// Where one axis of an operand is read: ((sum of factor*loop) + offset) / divide % modulo;
// or a row that other data name (lookup); or all of it (opaque functions).
struct AxisIndex {
  enum class Kind : std::uint8_t { affine, lookup, whole };
  Kind kind = Kind::affine;
  std::vector<LoopTerm> terms;
  std::int64_t offset = 0;
  std::int64_t divide = 1;
  std::int64_t modulo = 0;  // 0 = none
  int node = -1;            // lookup: the node whose value is the row
  int loop = -1;            // lookup: the loop of kind lookup that stands for the table's rows
  bool operator==(const AxisIndex&) const = default;

  // Reads the loop itself, unchanged: x[i].
  bool identity() const {
    return kind == Kind::affine && terms.size() == 1 && terms[0].factor == 1 && offset == 0 && divide == 1 &&
           modulo == 0;
  }
};

// Functions of one and of two numbers; core/tdl/function.h has name, value and derivative of each.
enum class Function : std::uint8_t {
  identity,
  negate,
  abs,
  sign,
  exp,
  log,
  log1p,
  expm1,
  sqrt,
  rsqrt,
  reciprocal,
  square,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  asinh,
  acosh,
  atanh,
  erf,
  sigmoid,
  softplus,
  relu,
  floor,
  ceil,
  round,
  logicalNot,
  isNan,
  isInf,
  elu,
  selu,
  leakyRelu,
  hardSigmoid,
  hardSwish,
  gelu,
  geluTanh,
  silu,
  mish,
  add,
  subtract,
  multiply,
  divide,
  power,
  maximum,
  minimum,
  floorDivide,
  floorModulo,
  truncatedModulo,
  less,
  lessEqual,
  greater,
  greaterEqual,
  equal,
  notEqual,
  logicalAnd,
  logicalOr,
  logicalXor,
};

struct Node {
  enum class Kind : std::uint8_t {
    constant,  // value
    loop,      // the number of a loop
    read,      // operand[axes]; outside the operand: the value of `otherwise`, or an error when there is none
    unary,     // function(a)
    binary,    // function(a, b)
    select,    // a ? b : c; the branch not taken is not looked at
    reduce,    // reduction over `loops` of a
    cast,      // a, rounded as `dtype` is
    random,    // uniform in [0,1): counter-based, from `seed` name and the linear index of `loops` (global), see
               // core/base/random.h
  };
  Kind kind = Kind::constant;
  double value = 0;            // constant; unary: the parameter of elu, leakyRelu and hardSigmoid (core/tdl/function.h)
  int a = -1, b = -1, c = -1;  // children; each stands before its parent in Expression::nodes
  Function function = Function::identity;
  int operand = -1;
  std::vector<AxisIndex> axes;
  int otherwise = -1;
  std::vector<int> loops;  // reduce: loops reduced; random: loops counted, major first; loop: one
  Reduction reduction = Reduction::sum;
  DType dtype = DType::f32;
  std::string seed;
  bool operator==(const Node&) const = default;
};

struct ExpressionOutput {
  std::string name;
  std::vector<int> loops;  // one per axis of the output, in order
  int root = -1;           // node
  DType dtype = DType::f32;
  bool operator==(const ExpressionOutput&) const = default;
};

struct Expression {
  std::vector<std::string> operands;  // names for printing, in the operator's input order
  std::vector<Loop> loops;
  std::vector<Node> nodes;
  std::vector<ExpressionOutput> outputs;
  bool operator==(const Expression&) const = default;
};

}  // namespace core
