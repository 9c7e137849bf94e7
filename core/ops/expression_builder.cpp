#include "core/ops/expression_builder.h"

#include <cassert>

#include "core/base/error.h"

namespace core {

ExpressionBuilder::ExpressionBuilder(const OperatorView& op, std::vector<std::string> operands) : op_(op) {
  made_.operands = std::move(operands);
  made_.operands.resize(std::min(made_.operands.size(), op.inputCount()));
  while (made_.operands.size() < op.inputCount()) made_.operands.push_back("x" + std::to_string(made_.operands.size()));
  made_.nodes.reserve(8);
}

void ExpressionBuilder::outputLoops(const Shape& dims) {
  for (DimId dim : dims) {
    outputLoops_.push_back(static_cast<int>(made_.loops.size()));
    made_.loops.push_back({op_.dimName(dim), dim, op_.size(dim), Loop::Kind::output, Reduction::sum});
  }
}

void ExpressionBuilder::reducedLoops(const Shape& dims, Reduction reduction) {
  for (DimId dim : dims) made_.loops.push_back({op_.dimName(dim), dim, op_.size(dim), Loop::Kind::reduced, reduction});
}

int ExpressionBuilder::lookupLoop(DimId dim) {
  made_.loops.push_back({op_.dimName(dim), dim, op_.size(dim), Loop::Kind::lookup, Reduction::sum});
  return static_cast<int>(made_.loops.size()) - 1;
}

int ExpressionBuilder::loopOver(DimId dim) const {
  for (std::size_t i = 0; i < made_.loops.size(); ++i)
    if (made_.loops[i].dim == dim && made_.loops[i].kind != Loop::Kind::lookup) return static_cast<int>(i);
  throw Error{.what = "dimension \"" + op_.dimName(dim) + "\" of an operand has no place in the result",
              .where = op_.name()};
}

Value ExpressionBuilder::add(Node node) {
  made_.nodes.push_back(std::move(node));
  return {this, static_cast<int>(made_.nodes.size()) - 1};
}

Value ExpressionBuilder::constant(double value) {
  return add({.kind = Node::Kind::constant, .value = value});
}

Value ExpressionBuilder::index(DimId dim) {
  return add({.kind = Node::Kind::loop, .loops = {loopOver(dim)}, .dtype = DType::i64});
}

AxisIndex ExpressionBuilder::at(int loop, std::int64_t factor, std::int64_t offset) {
  AxisIndex index;
  index.terms.push_back({loop, factor});
  index.offset = offset;
  return index;
}

AxisIndex ExpressionBuilder::lookup(Value row, int loop) {
  AxisIndex index;
  index.kind = AxisIndex::Kind::lookup;
  index.node = row.node;
  index.loop = loop;
  return index;
}

AxisIndex ExpressionBuilder::byLoop(DimId dim) const {
  return at(loopOver(dim));
}

std::vector<AxisIndex> ExpressionBuilder::axesOf(std::size_t operand) const {
  std::vector<AxisIndex> axes;
  axes.reserve(op_.shape(operand).size());
  for (DimId dim : op_.shape(operand)) axes.push_back(byLoop(dim));
  return axes;
}

Value ExpressionBuilder::read(std::size_t operand) {
  return read(operand, axesOf(operand));
}

Value ExpressionBuilder::read(std::size_t operand, DimId dim, AxisIndex at) {
  std::vector<AxisIndex> axes;
  for (DimId one : op_.shape(operand)) axes.push_back(one == dim ? at : byLoop(one));
  return read(operand, std::move(axes));
}

Value ExpressionBuilder::read(std::size_t operand, std::vector<AxisIndex> at, Value otherwise) {
  return add({.kind = Node::Kind::read,
              .operand = static_cast<int>(operand),
              .axes = std::move(at),
              .otherwise = otherwise.node,
              .dtype = op_.dtype(operand)});
}

Value ExpressionBuilder::random(const std::string& seed) {
  return add({.kind = Node::Kind::random, .loops = outputLoops_, .seed = seed});
}

void ExpressionBuilder::result(Value root, DType type, std::string name) {
  made_.outputs.push_back({std::move(name), outputLoops_, root.node, type});
}

Value apply(Function function, Value a, double alpha) {
  return a.builder->add({.kind = Node::Kind::unary, .value = alpha, .a = a.node, .function = function});
}

Value apply(Function function, Value a, Value b) {
  return a.builder->add({.kind = Node::Kind::binary, .a = a.node, .b = b.node, .function = function});
}

Value select(Value condition, Value yes, Value no) {
  return condition.builder->add({.kind = Node::Kind::select, .a = condition.node, .b = yes.node, .c = no.node});
}

Value cast(Value a, DType type) {
  return a.builder->add({.kind = Node::Kind::cast, .a = a.node, .dtype = type});
}

Value reduce(Reduction reduction, Value a, const Shape& over) {
  if (over.empty()) return a;
  std::vector<int> loops;
  for (DimId dim : over) loops.push_back(a.builder->loopOver(dim));
  return a.builder->add({.kind = Node::Kind::reduce, .a = a.node, .loops = std::move(loops), .reduction = reduction});
}

Value operator+(Value a, double b) {
  return a + a.builder->constant(b);
}
Value operator-(Value a, double b) {
  return a - a.builder->constant(b);
}
Value operator-(double a, Value b) {
  return b.builder->constant(a) - b;
}
Value operator*(Value a, double b) {
  return a * a.builder->constant(b);
}
Value operator/(double a, Value b) {
  return b.builder->constant(a) / b;
}
Value operator<(Value a, double b) {
  return apply(Function::less, a, a.builder->constant(b));
}
Value operator>(Value a, double b) {
  return apply(Function::greater, a, a.builder->constant(b));
}
Value operator==(Value a, Value b) {
  return apply(Function::equal, a, b);
}

}  // namespace core
