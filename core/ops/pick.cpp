#include "core/ops/builder.h"
#include "core/ops/catalogue.h"
#include "core/ops/example.h"
#include "core/ops/expression_builder.h"
#include "core/ops/fit.h"
#include "core/ops/require.h"

namespace core {
namespace {

Expression expression(const OperatorView& op) {
  requireInputs(op, 1);
  const DimId dim = only(op, "dim");
  const std::int64_t index = op.integer("index");
  requireDim(op, 0, dim);
  if (index < 0 || (op.size(dim) != 0 && index >= op.size(dim)))
    refuse(op,
           "element " + std::to_string(index) + " of dimension \"" + op.dimName(dim) + "\" of size " +
               std::to_string(op.size(dim)),
           "an element within it");
  ExpressionBuilder y(op, {"x"});
  y.outputLoops(without(op.shape(0), {dim}));
  AxisIndex at;
  at.offset = index;
  y.result(y.read(0, dim, at), op.dtype(0));
  return y.take();
}

std::vector<TensorId> gradient(GraphBuilder& build, const GradientView& at) {
  return {build.addOne("stack", {at.outputGradients[0]},
                       {{"dim", at.op.dims("dim")},
                        {"indices", std::vector<std::int64_t>{at.op.integer("index")}},
                        {"shape", at.op.shape(0)}})};
}

std::vector<Graph> examples() {
  return {example([](GraphBuilder& build) {
            const TensorId x = build.input("x", "a:4 b:6");
            return build.pick(x, build.dim("a", 4), 2);
          }),
          example([](GraphBuilder& build) {
            const TensorId x = build.input("x", "a:5 b:3 c:2");
            return build.pick(x, build.dim("b", 3), 0);
          })};
}

}  // namespace

const Op& pickOp() {
  static const Op op{.name = "pick",
                     .summary = "Takes one element of a dimension, which goes.",
                     .text = "y[*a,*b] = x[*a,index,*b]",
                     .domain = "shape",
                     .expression = expression,
                     .gradient = gradient,
                     .examples = examples};
  return op;
}

}  // namespace core
