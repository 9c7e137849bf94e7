#include <cstdlib>

#include "core/ops/builder.h"
#include "core/ops/catalogue.h"
#include "core/ops/example.h"
#include "core/ops/expression_builder.h"
#include "core/ops/fit.h"
#include "core/ops/require.h"

// The tensor from element low on, `value` around it. With a step the elements stand that far apart, `value` between
// them.

namespace core {
namespace {

void requireRoom(const OperatorView& op, DimId dim, std::int64_t low, std::int64_t step, DimId into) {
  if (step == 0) refuse(op, "step 0", "a step forwards or backwards");
  if (op.size(dim) == 0 || op.size(into) == 0) return;
  const std::int64_t last = low + step * (op.size(dim) - 1);
  for (std::int64_t at : {low, last})
    if (at < 0 || at >= op.size(into))
      refuse(op,
             "writes element " + std::to_string(at) + " of dimension \"" + op.dimName(into) + "\" of size " +
                 std::to_string(op.size(into)),
             "room for all of \"" + op.dimName(dim) + "\"");
}

Expression expression(const OperatorView& op) {
  requireInputs(op, 1);
  const DimId dim = only(op, "dim"), into = only(op, "into");
  const std::int64_t low = op.integer("low"), step = op.integer("step", 1);
  requireDim(op, 0, dim);
  if (dim != into) requireNoDim(op, 0, into);
  requireRoom(op, dim, low, step, into);
  ExpressionBuilder y(op, {"x"});
  y.outputLoops(replaced(op.shape(0), dim, {into}));
  std::vector<AxisIndex> axes;
  for (DimId one : op.shape(0)) {
    AxisIndex index = ExpressionBuilder::at(y.loopOver(one == dim ? into : one));
    if (one == dim) {  // element (i - low) / step
      index.terms[0].factor = step < 0 ? -1 : 1;
      index.offset = step < 0 ? low : -low;
      index.divide = std::abs(step);
    }
    axes.push_back(std::move(index));
  }
  const Value around = y.constant(op.number("value", 0));
  Value value = y.read(0, std::move(axes), around);
  if (std::abs(step) != 1) {
    const Value off = apply(Function::floorModulo, y.index(into) - static_cast<double>(low),
                            y.constant(static_cast<double>(std::abs(step))));
    value = select(off == y.constant(0), value, around);
  }
  y.result(value, op.dtype(0));
  return y.take();
}

std::vector<TensorId> gradient(GraphBuilder& build, const GradientView& at) {
  return {build.slice(at.outputGradients[0], only(at.op, "into"), only(at.op, "dim"), at.op.integer("low"),
                      at.op.integer("step", 1))};
}

std::vector<Graph> examples() {
  const auto make = [](std::string_view x, std::string_view dim, std::string_view into, std::int64_t low, double value,
                       std::int64_t step) {
    return example([&](GraphBuilder& build) {
      const TensorId from = build.input("x", x);
      const Shape narrow = build.shape(dim), wide = build.shape(into);
      return build.addOne("pad", {from},
                          {{"dim", narrow}, {"into", wide}, {"low", low}, {"value", value}, {"step", step}});
    });
  };
  return {make("a:4 b:3", "a", "c:8", 1, 0, 1), make("b:2 a:5", "a", "c:7", 2, -1.5, 1),
          make("a:4", "a", "c:9", 1, 0, 2), make("a:3 b:2", "a", "c:8", 6, -2, -2)};
}

}  // namespace

const Op& padOp() {
  static const Op op{.name = "pad",
                     .summary = "Sets a tensor among a value along one dimension.",
                     .text = "y[i] = (x[i - low] else value)",
                     .domain = "shape",
                     .expression = expression,
                     .gradient = gradient,
                     .examples = examples};
  return op;
}

}  // namespace core
