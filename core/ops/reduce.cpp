#include "core/ops/builder.h"
#include "core/ops/catalogue.h"
#include "core/ops/example.h"
#include "core/ops/expression_builder.h"
#include "core/ops/fit.h"
#include "core/ops/require.h"

// Reductions over the dimensions of attribute "dims": rows of one table.
// The mean is a sum times one over the whole count: it stays a sum, so that parts of it may be added up later.

namespace core {
namespace {

struct Row {
  std::string_view name;
  std::string_view summary;
  std::string_view text;
  Reduction reduction;
  bool mean = false;
};

constexpr Row rows[] = {
    {"reduce_sum", "The sum over dimensions.", "y[*i] = sum(*k) x[*i,*k]", Reduction::sum},
    {"reduce_mean", "The mean over dimensions.", "y[*i] = (sum(*k) x[*i,*k]) * (1 / count)", Reduction::sum, true},
    {"reduce_max", "The greatest over dimensions; equal ones share the gradient.", "y[*i] = max(*k) x[*i,*k]",
     Reduction::max},
    {"reduce_min", "The least over dimensions; equal ones share the gradient.", "y[*i] = min(*k) x[*i,*k]",
     Reduction::min},
    {"reduce_prod", "The product over dimensions.", "y[*i] = product(*k) x[*i,*k]", Reduction::product},
    {"reduce_all", "True where all over dimensions are.", "y[*i] = and(*k) x[*i,*k]", Reduction::logicalAnd},
    {"reduce_any", "True where one over dimensions is.", "y[*i] = or(*k) x[*i,*k]", Reduction::logicalOr},
};

bool boolean(const Row& row) {
  return row.reduction == Reduction::logicalAnd || row.reduction == Reduction::logicalOr;
}

double countOf(const OperatorView& op, const Shape& over) {
  double count = 1;
  for (DimId dim : over) count *= static_cast<double>(op.size(dim));
  return count;
}

Expression expressionOf(const Row& row, const OperatorView& op) {
  requireInputs(op, 1);
  if (boolean(row) != (op.dtype(0) == DType::boolean))
    refuse(op, "the input is of type " + std::string(toString(op.dtype(0))), boolean(row) ? "bool" : "numbers");
  if (row.mean) requireFloating(op, 0);
  const Shape& over = op.dims("dims");
  for (DimId dim : over) requireDim(op, 0, dim);
  ExpressionBuilder y(op, {"x"});
  y.outputLoops(without(op.shape(0), over));
  y.reducedLoops(over, row.reduction);
  Value value = reduce(row.reduction, y.read(0), over);
  const double count = countOf(op, over);
  if (row.mean && count > 0) value = value * (1 / count);
  y.result(value, op.dtype(0));
  return y.take();
}

TensorId extremeGradient(GraphBuilder& build, const GradientView& at) {
  const TensorId x = at.op.input(0), y = at.outputs[0], dy = at.outputGradients[0];
  const TensorId chosen = build.binary(Function::equal, x, y);
  const TensorId count = build.sum(build.cast(chosen, at.op.dtype(0)), at.op.dims("dims"));
  return build.select(chosen, build.over(dy, count), 0.0);
}

// The product of the others, without a division by zero: with one zero only that one has a gradient, with two none.
TensorId productGradient(GraphBuilder& build, const GradientView& at) {
  const TensorId x = at.op.input(0), dy = at.outputGradients[0];
  const TensorId isZero = build.binary(Function::equal, x, 0.0);
  const TensorId rest = build.select(isZero, 1.0, x);
  const TensorId zeros = build.sum(build.cast(isZero, at.op.dtype(0)), at.op.dims("dims"));
  const TensorId product = build.times(dy, build.reduce(Reduction::product, rest, at.op.dims("dims")));
  const TensorId atZero = build.select(build.binary(Function::equal, zeros, 1.0), product, 0.0);
  const TensorId elsewhere = build.select(build.binary(Function::equal, zeros, 0.0), product, 0.0);
  return build.select(isZero, build.broadcast(atZero, at.op.shape(0)), build.over(elsewhere, rest));
}

std::vector<TensorId> gradientOf(const Row& row, GraphBuilder& build, const GradientView& at) {
  if (!isFloating(at.op.dtype(0))) return {TensorId()};
  if (row.reduction == Reduction::max || row.reduction == Reduction::min) return {extremeGradient(build, at)};
  if (row.reduction == Reduction::product) return {productGradient(build, at)};
  TensorId dy = at.outputGradients[0];
  if (row.mean) dy = build.times(dy, 1 / countOf(at.op, at.op.dims("dims")));
  return {fitTo(build, dy, at.op.shape(0))};
}

std::vector<Graph> examplesOf(const Row& row) {
  const auto make = [&row](std::string_view shape, std::string_view over) {
    return example([&](GraphBuilder& build) {
      TensorId x = build.input("x", shape);
      if (boolean(row)) x = build.binary(Function::greater, x, 0.0);
      return build.addOne(std::string(row.name), {x}, {{"dims", build.shape(over)}});
    });
  };
  return {make("a:4 b:6", "b"), make("a:5 b:3 c:7", "a c"), make("a:3 b:2", "a b")};
}

std::vector<Op> makeOps() {
  std::vector<Op> made;
  for (const Row& row : rows)
    made.push_back(
        {.name = row.name,
         .summary = row.summary,
         .text = row.text,
         .domain = "math",
         .expression = [&row](const OperatorView& op) { return expressionOf(row, op); },
         .gradient = [&row](GraphBuilder& build, const GradientView& at) { return gradientOf(row, build, at); },
         .examples = [&row] { return examplesOf(row); }});
  return made;
}

}  // namespace

std::span<const Op* const> reductionOps() {
  static const std::vector<Op> ops = makeOps();
  static const std::vector<const Op*> pointers = [] {
    std::vector<const Op*> all;
    for (const Op& op : ops) all.push_back(&op);
    return all;
  }();
  return pointers;
}

}  // namespace core
