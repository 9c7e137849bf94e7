#include "core/ops/builder.h"
#include "core/ops/catalogue.h"
#include "core/ops/example.h"
#include "core/ops/fit.h"
#include "core/ops/require.h"
#include "core/ops/scatter.h"

// Sums of updates by the rows that integers name. Attribute "dims": dimensions of the ids that are summed over;
// dimensions that ids and result share are gone through together. Attribute "shape", where given, is the order of the
// result.

namespace core {
namespace {

Shape resultShape(const OperatorView& op, DimId rows) {
  if (op.has("shape")) return op.dims("shape");
  Shape shape = without(op.shape(1), op.dims("dims"));
  shape.insert(shape.begin(), rows);
  return shape;
}

Expression expression(const OperatorView& op) {
  requireInputs(op, 2);
  ExpressionBuilder y(op, {"ids", "updates"});
  const Value here = scatterLoops(op, y, Reduction::sum);
  y.result(reduce(Reduction::sum, select(here, y.read(1), y.constant(0)), op.dims("dims")), op.dtype(1));
  return y.take();
}

std::vector<TensorId> gradient(GraphBuilder& build, const GradientView& at) {
  return {TensorId(),
          fitTo(build, build.gather(at.outputGradients[0], only(at.op, "rows"), at.op.input(0)), at.op.shape(1))};
}

std::vector<Graph> examples() {
  return {example([](GraphBuilder& build) {
            const TensorId ids = rowsInput(build, "ids", "b:3 s:4", 6), updates = build.input("updates", "b s d:4");
            return build.scatterAdd(ids, updates, build.shape("b s"), build.dim("v", 6));
          }),
          example([](GraphBuilder& build) {
            const TensorId ids = rowsInput(build, "ids", "s:5", 3), updates = build.input("updates", "s d:2");
            return build.scatterAdd(ids, updates, build.shape("s"), build.dim("v", 3));
          }),
          example([](GraphBuilder& build) {  // b is in all three
            const TensorId ids = rowsInput(build, "ids", "b:3 k:2", 5), updates = build.input("updates", "b k d:4");
            return build.addOne("scatter_add", {ids, updates}, {{"dims", build.shape("k")}, {"rows", Shape{build.dim("v", 5)}}, {"shape", build.shape("b v d")}});
          })};
}

}  // namespace

Value scatterLoops(const OperatorView& op, ExpressionBuilder& y, Reduction reduction) {
  requireInteger(op, 0);
  const DimId rows = only(op, "rows");
  const Shape& reduced = op.dims("dims");
  for (DimId dim : reduced) requireDim(op, 0, dim);
  requireNoDim(op, 0, rows);
  requireNoDim(op, 1, rows);
  y.outputLoops(resultShape(op, rows));
  y.reducedLoops(reduced, reduction);
  return y.read(0) == y.index(rows);
}

const Op& scatterAddOp() {
  static const Op op{.name = "scatter_add",
                     .summary = "Adds updates up by the rows that integers name: the backward step of a lookup.",
                     .text = "y[v,d] = sum(*b) select(ids[*b] == v, updates[*b,d], 0)",
                     .domain = "index",
                     .expression = expression,
                     .gradient = gradient,
                     .examples = examples};
  return op;
}

}  // namespace core
