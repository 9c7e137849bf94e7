#include "core/ops/infer.h"

#include "core/ops/builder.h"
#include "core/ops/require.h"

namespace core {
namespace {

std::vector<TensorType> ofExpression(const Expression& expression) {
  std::vector<TensorType> types;
  for (const ExpressionOutput& output : expression.outputs) {
    TensorType type{{}, output.dtype};
    for (int loop : output.loops) type.shape.push_back(expression.loops[loop].dim);
    types.push_back(std::move(type));
  }
  return types;
}

// The expansion on nothing but the operator's inputs: the graph around it is not copied.
std::vector<TensorType> ofExpansion(const Op& row, const OperatorView& op) {
  Graph alone;
  alone.dims = op.graph().dims;
  std::vector<TensorId> inputs;
  for (std::size_t i = 0; i < op.inputCount(); ++i) {
    inputs.emplace_back(static_cast<std::int64_t>(i));
    alone.tensors.push_back({.name = "#" + std::to_string(i),
                             .shape = op.shape(i),
                             .dtype = op.dtype(i),
                             .kind = TensorKind::input,
                             .source = {},
                             .producer = {}});
  }
  const Graph leaves = alone;
  GraphBuilder build(std::move(alone));
  const std::vector<TensorId> outputs =
      row.expand(build, OperatorView(leaves, op.name(), op.kind(), op.attributes(), inputs));
  std::vector<TensorType> types;
  for (TensorId id : outputs) types.push_back({build.graph()[id].shape, build.graph()[id].dtype});
  return types;
}

}  // namespace

std::vector<TensorType> outputTypes(const OperatorView& op) {
  const Op& row = findOp(op.kind());
  return row.expression ? ofExpression(row.expression(op)) : ofExpansion(row, op);
}

}  // namespace core
