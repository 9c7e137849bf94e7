#include "core/ops/builder.h"
#include "core/ops/catalogue.h"
#include "core/ops/example.h"
#include "core/ops/expression_builder.h"
#include "core/ops/fit.h"
#include "core/ops/require.h"

// The rows of a table that integers name; dimensions that both have are gone through together. The ids' dimensions
// stand where the rows stood. An id outside of the table is an error when it is read.

namespace core {
namespace {

Shape resultShape(const OperatorView& op, DimId rows) {
  return replaced(op.shape(0), rows, without(op.shape(1), without(op.shape(0), {rows})));
}

Expression expression(const OperatorView& op) {
  requireInputs(op, 2);
  requireInteger(op, 1);
  const DimId rows = only(op, "rows");
  requireDim(op, 0, rows);
  requireNoDim(op, 1, rows);
  ExpressionBuilder y(op, {"table", "ids"});
  y.outputLoops(resultShape(op, rows));
  const Value id = y.read(1);
  y.result(y.read(0, rows, ExpressionBuilder::lookup(id, y.lookupLoop(rows))), op.dtype(0));
  return y.take();
}

std::vector<TensorId> gradient(GraphBuilder& build, const GradientView& at) {
  if (!isFloating(at.op.dtype(0))) return {TensorId(), TensorId()};
  const Shape summed = without(at.op.shape(1), at.op.shape(0));
  return {build.addOne("scatter_add", {at.op.input(1), at.outputGradients[0]},
                       {{"dims", summed}, {"rows", at.op.dims("rows")}, {"shape", at.op.shape(0)}}),
          TensorId()};
}

std::vector<Graph> examples() {
  return {example([](GraphBuilder& build) {
            const TensorId table = build.input("table", "v:6 d:4"), ids = rowsInput(build, "ids", "b:3 s:5", 6);
            return build.gather(table, build.dim("v", 6), ids);
          }),
          example([](GraphBuilder& build) {
            const TensorId table = build.input("table", "b:3 v:5"), ids = rowsInput(build, "ids", "b:3 k:2", 5);
            return build.gather(table, build.dim("v", 5), ids);
          })};
}

}  // namespace

const Op& gatherOp() {
  static const Op op{.name = "gather",
                     .summary = "Takes the rows of a table that integers name: an embedding.",
                     .text = "y[*b,d] = table[ids[*b], d]",
                     .domain = "index",
                     .expression = expression,
                     .gradient = gradient,
                     .examples = examples};
  return op;
}

}  // namespace core
