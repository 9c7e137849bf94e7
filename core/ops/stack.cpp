#include "core/ops/builder.h"
#include "core/ops/catalogue.h"
#include "core/ops/example.h"
#include "core/ops/expression_builder.h"
#include "core/ops/fit.h"
#include "core/ops/require.h"

// Tensors side by side along a new dimension: the i-th at place indices[i], 0 where none stands. Attribute "shape" is
// the order of the result. Backward of picks: those of one tensor become one stack.

namespace core {
namespace {

Expression expression(const OperatorView& op) {
  const DimId dim = only(op, "dim");
  const auto& places = op.integers("indices");
  const Shape& shape = op.dims("shape");
  requireInputs(op, places.size());
  requireSameType(op);
  for (std::size_t i = 0; i < places.size(); ++i) {
    requireNoDim(op, i, dim);
    if (places[i] < 0 || (op.size(dim) != 0 && places[i] >= op.size(dim)))
      refuse(op,
             "place " + std::to_string(places[i]) + " of dimension \"" + op.dimName(dim) + "\" of size " +
                 std::to_string(op.size(dim)),
             "a place within it");
  }
  ExpressionBuilder y(op);
  y.outputLoops(shape);
  Value value = y.constant(0);
  for (std::size_t i = places.size(); i-- > 0;)
    value = select(y.index(dim) == y.constant(static_cast<double>(places[i])), y.read(i), value);
  y.result(value, op.dtype(0));
  return y.take();
}

std::vector<TensorId> gradient(GraphBuilder& build, const GradientView& at) {
  const auto& places = at.op.integers("indices");
  std::vector<TensorId> gradients;
  for (std::size_t i = 0; i < places.size(); ++i)
    gradients.push_back(fitTo(build, build.pick(at.outputGradients[0], only(at.op, "dim"), places[i]), at.op.shape(i)));
  return gradients;
}

std::vector<Graph> examples() {
  const auto make = [](std::string_view shape, std::string_view dim, std::vector<std::int64_t> places,
                       std::string_view result) {
    return example([&](GraphBuilder& build) {
      std::vector<TensorId> inputs;
      for (std::size_t i = 0; i < places.size(); ++i) inputs.push_back(build.input("x" + std::to_string(i), shape));
      const Shape along = build.shape(dim);
      return build.addOne("stack", inputs, {{"dim", along}, {"indices", places}, {"shape", build.shape(result)}});
    });
  };
  return {make("a:4 b:3", "q:3", {0, 1, 2}, "a q b"), make("a:5", "q:3", {2}, "q a")};
}

}  // namespace

const Op& stackOp() {
  static const Op op{.name = "stack",
                     .summary = "Puts tensors side by side along a new dimension; 0 where none stands.",
                     .text = "y[*a,q,*b] = select(q == 0, x0[*a,*b], select(q == 1, x1[*a,*b], 0))",
                     .domain = "shape",
                     .expression = expression,
                     .gradient = gradient,
                     .examples = examples};
  return op;
}

}  // namespace core
