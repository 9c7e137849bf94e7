#include "core/ops/builder.h"
#include "core/ops/catalogue.h"
#include "core/ops/example.h"
#include "core/ops/expression_builder.h"
#include "core/ops/fit.h"
#include "core/ops/require.h"

// Products of tensors, multiplied by name. Attribute "output": the dimensions of the result; all others are summed
// over.

namespace core {
namespace {

Shape summed(const OperatorView& op, const Shape& output) {
  Shape over;
  for (std::size_t i = 0; i < op.inputCount(); ++i)
    for (DimId dim : op.shape(i))
      if (!holds(output, dim) && !holds(over, dim)) over.push_back(dim);
  return over;
}

void requireHeld(const OperatorView& op, const Shape& output) {
  for (DimId dim : output) {
    bool held = false;
    for (std::size_t i = 0; i < op.inputCount(); ++i) held |= holds(op.shape(i), dim);
    if (!held)
      refuse(op, "dimension \"" + op.dimName(dim) + "\" of the result is in no input",
             "a dimension of an input, or a broadcast after it");
  }
}

Expression expression(const OperatorView& op) {
  if (op.inputCount() == 0) refuse(op, "no inputs given", "one or more");
  requireSameType(op);
  if (op.dtype(0) == DType::boolean) refuse(op, "an input is of type bool", "numbers; cast it");
  const Shape& output = op.dims("output");
  requireHeld(op, output);
  const Shape over = summed(op, output);
  ExpressionBuilder y(op, {"a", "b", "c", "d"});
  y.outputLoops(output);
  y.reducedLoops(over, Reduction::sum);
  Value product = y.read(0);
  for (std::size_t i = 1; i < op.inputCount(); ++i) product = product * y.read(i);
  y.result(reduce(Reduction::sum, product, over), op.dtype(0));
  return y.take();
}

std::vector<TensorId> gradient(GraphBuilder& build, const GradientView& at) {
  std::vector<TensorId> gradients;
  for (std::size_t i = 0; i < at.op.inputCount(); ++i) {
    std::vector<TensorId> factors{at.outputGradients[0]};
    for (std::size_t other = 0; other < at.op.inputCount(); ++other)
      if (other != i) factors.push_back(at.op.input(other));
    Shape reached;  // a dimension that only this input has was summed over: its gradient is the same everywhere
    for (DimId dim : at.op.shape(i))
      for (TensorId factor : factors)
        if (holds(build.graph()[factor].shape, dim) && !holds(reached, dim)) reached.push_back(dim);
    const TensorId product = factors.size() == 1 ? factors[0] : build.einsum(std::move(factors), reached);
    gradients.push_back(fitTo(build, product, at.op.shape(i)));
  }
  return gradients;
}

Graph matmul(std::string_view a, std::string_view b, std::string_view y) {
  return example([&](GraphBuilder& build) {
    const TensorId left = build.input("a", a), right = build.input("b", b);
    return build.einsum({left, right}, y);
  });
}

std::vector<Graph> examples() {
  return {matmul("i:4 k:6", "k j:8", "i j"), matmul("batch:3 heads:2 i:5 k:7", "batch heads j:4 k", "batch heads i j"),
          matmul("i:5 k:3", "i j:2", "j k"), matmul("i:8", "i", ""), example([](GraphBuilder& build) {
            const TensorId a = build.input("a", "i:4 j:3"), b = build.input("b", "j k:5"), c = build.input("c", "k i");
            return build.einsum({a, b, c}, "i k");
          })};
}

}  // namespace

const Op& einsumOp() {
  static const Op op{.name = "einsum",
                     .summary =
                         "Multiplies tensors by name and sums over every dimension that the result lacks: matrix "
                         "products and all their kin.",
                     .text = "y[i,j] = sum(k) a[i,k] * b[k,j]",
                     .domain = "math",
                     .expression = expression,
                     .gradient = gradient,
                     .examples = examples};
  return op;
}

}  // namespace core
