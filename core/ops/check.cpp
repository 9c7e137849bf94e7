#include "core/ops/check.h"

#include <fmt/format.h>

#include "core/graph/check.h"
#include "core/ops/infer.h"
#include "core/ops/require.h"

namespace core {
namespace {

void compare(const Graph& graph, const Operator& op, std::vector<Diagnostic>& found) {
  const std::vector<TensorType> types = outputTypes(OperatorView(graph, op));
  if (types.size() < op.outputs.size()) {
    found.push_back(
        {.what = fmt::format("{} outputs are asked of {}, which makes {}", op.outputs.size(), op.kind, types.size()),
         .where = op.name,
         .right = ""});
    return;
  }
  for (std::size_t i = 0; i < op.outputs.size(); ++i) {
    const Tensor& tensor = graph[op.outputs[i]];
    if (tensor.shape != types[i].shape || tensor.dtype != types[i].dtype)
      found.push_back(
          {.what = fmt::format("\"{}\" is said to be {} {} and is {} {}", tensor.name, shapeText(graph, tensor.shape),
                               toString(tensor.dtype), shapeText(graph, types[i].shape), toString(types[i].dtype)),
           .where = op.name,
           .right = "what the operator makes"});
  }
}

}  // namespace

std::vector<Diagnostic> checkOperators(const Graph& graph) {
  std::vector<Diagnostic> found = check(graph);
  if (hasErrors(found)) return found;
  for (const Operator& op : graph.operators) {
    if (op.kind == "opaque") continue;
    try {
      compare(graph, op, found);
    } catch (const Error& error) {
      found.push_back({.what = error.what, .where = error.where.empty() ? op.name : error.where, .right = error.right});
    }
  }
  return found;
}

}  // namespace core
