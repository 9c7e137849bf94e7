#include "core/ops/builder.h"
#include "core/ops/catalogue.h"
#include "core/ops/example.h"
#include "core/ops/expression_builder.h"
#include "core/ops/fit.h"
#include "core/ops/require.h"

// Tensors one behind the other. Attribute "dims": of each input the dimension that is joined; sizes add up to that of
// "into".

namespace core {
namespace {

Expression expression(const OperatorView& op) {
  const Shape& dims = op.dims("dims");
  const DimId into = only(op, "into");
  if (dims.empty()) refuse(op, "no inputs given", "one or more");
  requireInputs(op, dims.size());
  requireSameType(op);
  std::int64_t total = 0;
  bool bound = true;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    requireDim(op, i, dims[i]);
    if (dims[i] != into) requireNoDim(op, i, into);
    total += op.size(dims[i]);
    bound &= op.size(dims[i]) != 0;
  }
  if (bound) requireSize(op, into, total, "the sum of the inputs' sizes");
  ExpressionBuilder y(op);
  const Shape shape = replaced(op.shape(0), dims[0], {into});
  y.outputLoops(shape);
  for (std::size_t i = 1; i < dims.size(); ++i)
    if (op.shape(i).size() != shape.size())
      refuse(op, "inputs of different dimensions: " + shapeText(op.graph(), op.shape(0)) + " and " +
                     shapeText(op.graph(), op.shape(i)));
  // Outside of the last input stand those before it; only the first read has no other value.
  Value value;
  std::int64_t start = 0;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    std::vector<AxisIndex> axes;
    for (DimId dim : op.shape(i))
      axes.push_back(ExpressionBuilder::at(y.loopOver(dim == dims[i] ? into : dim), 1, dim == dims[i] ? -start : 0));
    value = y.read(i, std::move(axes), value);
    start += op.size(dims[i]);
  }
  y.result(value, op.dtype(0));
  return y.take();
}

std::vector<TensorId> gradient(GraphBuilder& build, const GradientView& at) {
  const Shape& dims = at.op.dims("dims");
  std::vector<TensorId> gradients;
  std::int64_t start = 0;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    gradients.push_back(
        fitTo(build, build.slice(at.outputGradients[0], only(at.op, "into"), dims[i], start), at.op.shape(i)));
    start += at.op.size(dims[i]);
  }
  return gradients;
}

std::vector<Graph> examples() {
  return {example([](GraphBuilder& build) {
            const TensorId x = build.input("x", "a:4 c:3"), z = build.input("z", "b:4 c");
            return build.concat({x, z}, build.shape("a b"), build.dim("d", 8));
          }),
          example([](GraphBuilder& build) {
            const TensorId x = build.input("x", "c:2 a:3"), z = build.input("z", "c b:5"),
                           w = build.input("w", "c e:1");
            return build.concat({x, z, w}, build.shape("a b e"), build.dim("d", 9));
          })};
}

}  // namespace

const Op& concatOp() {
  static const Op op{.name = "concat",
                     .summary = "Puts tensors one behind the other along a dimension.",
                     .text = "y[i] = (a[i] else b[i - A])",
                     .domain = "shape",
                     .expression = expression,
                     .gradient = gradient,
                     .examples = examples};
  return op;
}

}  // namespace core
