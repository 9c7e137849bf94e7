#include "core/ops/builder.h"
#include "core/ops/catalogue.h"
#include "core/ops/example.h"
#include "core/ops/expression_builder.h"
#include "core/ops/fit.h"
#include "core/ops/require.h"

// The same values; one dimension goes by another name. Free when both names have one sharding, a reshard where not.

namespace core {
namespace {

Expression expression(const OperatorView& op) {
  requireInputs(op, 1);
  const DimId from = only(op, "from"), to = only(op, "to");
  requireDim(op, 0, from);
  if (from != to) requireNoDim(op, 0, to);
  requireSize(op, to, op.size(from), "the size of \"" + op.dimName(from) + "\"");
  ExpressionBuilder y(op, {"x"});
  y.outputLoops(replaced(op.shape(0), from, {to}));
  y.result(y.read(0, from, ExpressionBuilder::at(y.loopOver(to))), op.dtype(0));
  return y.take();
}

std::vector<TensorId> gradient(GraphBuilder& build, const GradientView& at) {
  return {build.rename(at.outputGradients[0], only(at.op, "to"), only(at.op, "from"))};
}

std::vector<Graph> examples() {
  return {example([](GraphBuilder& build) {
            const TensorId x = build.input("x", "seq:4 d:6");
            return build.rename(x, build.dim("seq", 4), build.dim("seq_kv", 4));
          }),
          example([](GraphBuilder& build) {
            const TensorId x = build.input("x", "a:5 b:3");
            return build.rename(x, build.dim("b", 3), build.dim("c", 3));
          })};
}

}  // namespace

const Op& renameOp() {
  static const Op op{.name = "rename",
                     .summary = "Gives one dimension another name; the values stay.",
                     .text = "y[*a,to,*b] = x[*a,to,*b]",
                     .domain = "shape",
                     .expression = expression,
                     .gradient = gradient,
                     .examples = examples};
  return op;
}

}  // namespace core
