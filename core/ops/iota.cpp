#include "core/ops/builder.h"
#include "core/ops/catalogue.h"
#include "core/ops/example.h"
#include "core/ops/expression_builder.h"
#include "core/ops/fit.h"
#include "core/ops/require.h"

namespace core {
namespace {

Expression expression(const OperatorView& op) {
  requireInputs(op, 0);
  const DimId dim = only(op, "dim");
  ExpressionBuilder y(op);
  y.outputLoops({dim});
  y.result(y.index(dim), op.has("dtype") ? parseDType(op.string("dtype")) : DType::i64);
  return y.take();
}

std::vector<TensorId> gradient(GraphBuilder&, const GradientView&) {
  return {};
}

std::vector<Graph> examples() {
  return {example([](GraphBuilder& build) { return build.iota(build.dim("n", 8)); }),
          example([](GraphBuilder& build) { return build.iota(build.dim("n", 5), DType::f32); })};
}

}  // namespace

const Op& iotaOp() {
  static const Op op{.name = "iota",
                     .summary = "Counts 0, 1, 2 along a dimension.",
                     .text = "y[i] = i",
                     .domain = "index",
                     .expression = expression,
                     .gradient = gradient,
                     .examples = examples};
  return op;
}

}  // namespace core
