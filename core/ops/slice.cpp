#include "core/ops/builder.h"
#include "core/ops/catalogue.h"
#include "core/ops/example.h"
#include "core/ops/expression_builder.h"
#include "core/ops/fit.h"
#include "core/ops/require.h"

// Every step-th element from start on; as many as the new dimension has. Attribute "left_off", where given, is how many
// elements stay off at the end, so that the new dimension follows when the old one gets another size.

namespace core {
namespace {

void requireWithin(const OperatorView& op, DimId dim, std::int64_t start, std::int64_t step, DimId into) {
  if (step == 0) refuse(op, "step 0", "a step forwards or backwards");
  if (op.size(dim) == 0 || op.size(into) == 0) return;
  const std::int64_t last = start + step * (op.size(into) - 1);
  for (std::int64_t at : {start, last})
    if (at < 0 || at >= op.size(dim))
      refuse(op,
             "reads element " + std::to_string(at) + " of dimension \"" + op.dimName(dim) + "\" of size " +
                 std::to_string(op.size(dim)),
             "elements within it");
}

Expression expression(const OperatorView& op) {
  requireInputs(op, 1);
  const DimId dim = only(op, "dim"), into = only(op, "into");
  const std::int64_t start = op.integer("start"), step = op.integer("step", 1);
  requireDim(op, 0, dim);
  if (dim != into) requireNoDim(op, 0, into);
  requireWithin(op, dim, start, step, into);
  ExpressionBuilder y(op, {"x"});
  y.outputLoops(replaced(op.shape(0), dim, {into}));
  y.result(y.read(0, dim, ExpressionBuilder::at(y.loopOver(into), step, start)), op.dtype(0));
  return y.take();
}

std::vector<TensorId> gradient(GraphBuilder& build, const GradientView& at) {
  Attributes attributes{{"dim", at.op.dims("into")}, {"into", at.op.dims("dim")}, {"low", at.op.integer("start")}};
  if (at.op.integer("step", 1) != 1) attributes["step"] = at.op.integer("step");
  return {build.addOne("pad", {at.outputGradients[0]}, std::move(attributes))};
}

std::vector<Graph> examples() {
  const auto make = [](std::string_view x, std::string_view dim, std::string_view into, std::int64_t start,
                       std::int64_t step) {
    return example([&](GraphBuilder& build) {
      const TensorId from = build.input("x", x);
      return build.slice(from, build.shape(dim)[0], build.shape(into)[0], start, step);
    });
  };
  return {make("a:8 b:3", "a", "c:4", 2, 1), make("b:2 a:9", "a", "c:4", 1, 2), make("a:7", "a", "c:5", 6, -1)};
}

}  // namespace

const Op& sliceOp() {
  static const Op op{.name = "slice",
                     .summary = "Takes every step-th element of one dimension from a start on.",
                     .text = "y[i] = x[start + step*i]",
                     .domain = "shape",
                     .expression = expression,
                     .gradient = gradient,
                     .examples = examples};
  return op;
}

}  // namespace core
