#include "core/ops/elementwise.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

#include "core/ops/builder.h"
#include "core/ops/catalogue.h"
#include "core/ops/example.h"
#include "core/ops/fit.h"
#include "core/ops/require.h"

namespace core {
namespace {

void requireAccepted(const OperatorView& op, Accepts accepts) {
  for (std::size_t i = 0; i < op.inputCount(); ++i) {
    if (accepts == Accepts::floating) requireFloating(op, i);
    if (accepts == Accepts::numbers && op.dtype(i) == DType::boolean)
      refuse(op, "an input is of type bool", "numbers; cast it");
    if (accepts == Accepts::booleans && op.dtype(i) != DType::boolean)
      refuse(op, "an input is of type " + std::string(toString(op.dtype(i))), "bool; compare or cast it");
  }
}

Expression unaryExpression(const UnaryRow& row, const OperatorView& op) {
  requireInputs(op, 1);
  requireAccepted(op, row.accepts);
  ExpressionBuilder y(op, {"x"});
  y.outputLoops(op.shape(0));
  y.result(apply(row.function, y.read(0), op.number("alpha", row.alpha)),
           row.givesBoolean ? DType::boolean : op.dtype(0));
  return y.take();
}

std::vector<TensorId> unaryGradient(const UnaryRow& row, GraphBuilder& build, const GradientView& at) {
  const TensorId dy = at.outputGradients[0];
  if (!row.derivative || !isFloating(at.op.dtype(0))) return {TensorId()};
  if (row.function == Function::identity) return {dy};
  if (row.function == Function::negate) return {build.unary(Function::negate, dy)};
  const TensorId saved = row.saves == Saves::output ? at.outputs[0] : at.op.input(0);
  Attributes attributes{{"function", std::string(row.name)}};
  if (row.alpha != 0) attributes["alpha"] = at.op.number("alpha", row.alpha);
  return {build.addOne("derivative", {dy, saved}, std::move(attributes))};
}

// A binary function of two tensors, or of one and a number ("left" or "right").
bool hasNumber(const OperatorView& op) {
  return op.has("right") || op.has("left");
}

Expression binaryExpression(const BinaryRow& row, const OperatorView& op) {
  requireInputs(op, hasNumber(op) ? 1 : 2);
  requireSameType(op);
  requireAccepted(op, row.accepts);
  ExpressionBuilder y(op, {"a", "b"});
  y.outputLoops(broadcastShape(op));
  const Value a = op.has("left") ? y.constant(op.number("left")) : y.read(0);
  const Value b = op.has("right") ? y.constant(op.number("right")) : y.read(op.has("left") ? 0 : 1);
  y.result(apply(row.function, a, b), row.givesBoolean ? DType::boolean : op.dtype(0));
  return y.take();
}

TensorId numberGradient(const BinaryRow& row, GraphBuilder& build, const GradientView& at) {
  const TensorId dy = at.outputGradients[0];
  if (row.function == Function::add) return dy;
  if (row.function == Function::subtract) return at.op.has("right") ? dy : build.unary(Function::negate, dy);
  if (row.function == Function::multiply)
    return build.times(dy, at.op.has("right") ? at.op.number("right") : at.op.number("left"));
  if (row.function == Function::divide && at.op.has("right")) return build.times(dy, 1 / at.op.number("right"));
  Attributes attributes = at.op.attributes();
  attributes["function"] = std::string(row.name);
  return build.addOne("derivative", {dy, at.op.input(0)}, std::move(attributes));
}

TensorId derivativeBy(std::int64_t which, const BinaryRow& row, GraphBuilder& build, const GradientView& at) {
  const TensorId dy = at.outputGradients[0], other = at.op.input(which == 0 ? 1 : 0);
  const Shape shape = at.op.shape(which);
  if (row.function == Function::add) return fitTo(build, dy, shape);
  if (row.function == Function::subtract)
    return which == 0 ? fitTo(build, dy, shape) : build.unary(Function::negate, fitTo(build, dy, shape));
  if (row.function == Function::multiply) return productFitTo(build, dy, other, shape);
  if (row.function == Function::divide && which == 0) return fitTo(build, build.over(dy, other), shape);
  const TensorId product = build.addOne("derivative", {dy, at.op.input(0), at.op.input(1)},
                                        {{"function", std::string(row.name)}, {"by", which}});
  return fitTo(build, product, shape);
}

std::vector<TensorId> binaryGradient(const BinaryRow& row, GraphBuilder& build, const GradientView& at) {
  std::vector<TensorId> gradients(at.op.inputCount());
  if ((!row.byLeft && !row.byRight) || !isFloating(at.op.dtype(0))) return gradients;
  if (hasNumber(at.op)) return {numberGradient(row, build, at)};
  return {derivativeBy(0, row, build, at), derivativeBy(1, row, build, at)};
}

std::vector<Op> makeOps() {
  std::vector<Op> made;
  for (const UnaryRow& row : unaryRows()) {
    static std::deque<std::string> texts;  // string_views of the rows point here
    texts.push_back("y[*i] = " + std::string(row.name) + "(x[*i])");
    made.push_back(
        {.name = row.name,
         .summary = row.summary,
         .text = texts.back(),
         .domain = "math",
         .expression = [&row](const OperatorView& op) { return unaryExpression(row, op); },
         .gradient = [&row](GraphBuilder& build, const GradientView& at) { return unaryGradient(row, build, at); },
         .examples = [&row] { return unaryExamples(row); }});
  }
  for (const BinaryRow& row : binaryRows())
    made.push_back(
        {.name = row.name,
         .summary = row.summary,
         .text = row.text,
         .domain = "math",
         .expression = [&row](const OperatorView& op) { return binaryExpression(row, op); },
         .gradient = [&row](GraphBuilder& build, const GradientView& at) { return binaryGradient(row, build, at); },
         .examples = [&row] { return binaryExamples(row); }});
  return made;
}

template <class Row>
const Row* findRow(std::span<const Row> rows, std::string_view kind) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.name == kind; });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace

const UnaryRow* findUnary(std::string_view kind) {
  return findRow(unaryRows(), kind);
}

const BinaryRow* findBinary(std::string_view kind) {
  return findRow(binaryRows(), kind);
}

bool isUnary(Function function) {
  return function < Function::add;
}

const UnaryRow& rowOfUnary(Function function) {
  return unaryRows()[static_cast<std::size_t>(function)];
}

const BinaryRow& rowOfBinary(Function function) {
  return binaryRows()[static_cast<std::size_t>(function) - static_cast<std::size_t>(Function::add)];
}

std::string_view kindOf(Function function) {
  return isUnary(function) ? rowOfUnary(function).name : rowOfBinary(function).name;
}

Shape broadcastShape(const OperatorView& op) {
  std::size_t widest = 0;
  for (std::size_t i = 1; i < op.inputCount(); ++i)
    if (op.shape(i).size() > op.shape(widest).size()) widest = i;
  Shape shape = op.shape(widest);
  for (std::size_t i = 0; i < op.inputCount(); ++i)
    for (DimId dim : op.shape(i))
      if (!holds(shape, dim)) shape.push_back(dim);
  return shape;
}

std::span<const Op* const> elementwiseOps() {
  static const std::vector<Op> ops = makeOps();
  static const std::vector<const Op*> pointers = [] {
    std::vector<const Op*> all;
    for (const Op& op : ops) all.push_back(&op);
    return all;
  }();
  return pointers;
}

}  // namespace core
