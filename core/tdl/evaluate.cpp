#include "core/tdl/evaluate.h"

#include <algorithm>
#include <cassert>

#include "core/base/error.h"
#include "core/base/labels.h"
#include "core/base/random.h"
#include "core/tdl/element.h"
#include "core/tdl/function.h"
#include "core/tdl/interval.h"
#include "core/tdl/reduction.h"

namespace core {
namespace {

// An axis whose index may fall outside, or is more than a sum of loops: computed and checked for every element.
struct CarefulAxis {
  const AxisIndex* index;
  std::int64_t size;
  Range held;
  std::int64_t stride;
};

// Where a read lies in memory: base + sum(loop * step), and what the careful axes add.
struct PlannedRead {
  const ReadArray* array = nullptr;
  std::int64_t base = 0;
  std::vector<LoopTerm> steps;
  std::vector<CarefulAxis> careful;
};

bool alwaysHeld(const Interval& read, std::int64_t size, const Range& held) {
  return read.low >= std::max<std::int64_t>(0, held.start) && read.high < std::min(size, held.end());
}

PlannedRead planRead(const Node& node, const ReadArray& array, std::span<const Range> loops) {
  assert(node.axes.size() == array.sizes.size() && "a read names every axis of its operand");
  PlannedRead plan{.array = &array};
  for (std::size_t d = 0; d < node.axes.size(); ++d) {
    const AxisIndex& index = node.axes[d];
    assert(index.kind != AxisIndex::Kind::whole && "an opaque function has no meaning here");
    const bool sum = index.kind == AxisIndex::Kind::affine && index.divide == 1 && index.modulo == 0;
    if (!sum || !alwaysHeld(indexInterval(index, loops, array.sizes[d]), array.sizes[d], array.held[d])) {
      plan.careful.push_back({&index, array.sizes[d], array.held[d], array.strides[d]});
      continue;
    }
    plan.base += (index.offset - array.held[d].start) * array.strides[d];
    for (const LoopTerm& term : index.terms) plan.steps.push_back({term.loop, term.factor * array.strides[d]});
  }
  return plan;
}

[[noreturn]] void refuseRow(double row, const CarefulAxis& axis, const std::string& operand) {
  std::string text = std::to_string(row);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  throw Error{.what = "row " + text + " is asked of a table with " + std::to_string(axis.size) + " rows",
              .where = operand,
              .right = "rows are 0 to " + std::to_string(axis.size - 1)};
}

class Evaluation {
 public:
  Evaluation(const Expression& expression, std::span<const ReadArray> operands, std::span<const Range> loops,
             const RandomContext& random)
      : expression_(expression),
        loops_(loops),
        index_(expression.loops.size()),
        reads_(expression.nodes.size()),
        keys_(expression.nodes.size()) {
    for (std::size_t i = 0; i < expression.nodes.size(); ++i) {
      const Node& node = expression.nodes[i];
      if (node.kind == Node::Kind::read)
        reads_[i] = planRead(node, operands[static_cast<std::size_t>(node.operand)], loops);
      if (node.kind == Node::Kind::random) keys_[i] = random.keyOf(node.seed);
    }
  }

  void write(const ExpressionOutput& output, const WriteArray& array) { writeFrom(output, array, 0, 0); }

 private:
  std::int64_t& index(int loop) { return index_[static_cast<std::size_t>(loop)]; }
  const Range& range(int loop) const { return loops_[static_cast<std::size_t>(loop)]; }

  void writeFrom(const ExpressionOutput& output, const WriteArray& array, std::size_t axis, std::int64_t at) {
    if (axis == output.loops.size()) return storeElement(array.data, at, array.dtype, value(output.root));
    const int loop = output.loops[axis];
    const Range over = range(loop);
    assert((over.size <= 0 || (over.start >= array.held[axis].start && over.end() <= array.held[axis].end())) &&
           "a result is written where its rank holds it");
    for (std::int64_t i = over.start; i < over.end(); ++i) {
      index(loop) = i;
      writeFrom(output, array, axis + 1, at + (i - array.held[axis].start) * array.strides[axis]);
    }
  }

  double value(int at) {
    const Node& node = expression_.nodes[static_cast<std::size_t>(at)];
    switch (node.kind) {
      case Node::Kind::constant:
        return node.value;
      case Node::Kind::loop:
        return static_cast<double>(index(node.loops[0]));
      case Node::Kind::read:
        return read(at, node);
      case Node::Kind::unary:
        return valueOf(node.function, value(node.a), node.value);
      case Node::Kind::binary:
        return valueOf2(node.function, value(node.a), value(node.b));
      case Node::Kind::select:
        return value(value(node.a) != 0 ? node.b : node.c);
      case Node::Kind::reduce:
        return reduce(node, 0, identityOf(node.reduction));
      case Node::Kind::cast:
        return roundTo(node.dtype, value(node.a));
      case Node::Kind::random:
        return uniformAt(keys_[static_cast<std::size_t>(at)], countedIndex(node));
    }
    return 0;
  }

  double reduce(const Node& node, std::size_t depth, double sum) {
    if (depth == node.loops.size()) return combine(node.reduction, sum, value(node.a));
    const int loop = node.loops[depth];
    const Range over = range(loop);
    for (std::int64_t i = over.start; i < over.end(); ++i) {
      index(loop) = i;
      sum = reduce(node, depth + 1, sum);
    }
    return sum;
  }

  // Row-major over the whole extents, so that it does not depend on the ranges.
  std::uint64_t countedIndex(const Node& node) {
    std::uint64_t counted = 0;
    for (int loop : node.loops)
      counted = counted * static_cast<std::uint64_t>(expression_.loops[static_cast<std::size_t>(loop)].extent) +
                static_cast<std::uint64_t>(index(loop));
    return counted;
  }

  double read(int at, const Node& node) {
    const PlannedRead& plan = reads_[static_cast<std::size_t>(at)];
    std::int64_t element = plan.base;
    for (const LoopTerm& step : plan.steps) element += step.factor * index(step.loop);
    bool outside = false, foreign = false;
    for (const CarefulAxis& axis : plan.careful) {
      const std::int64_t found =
          axis.index->kind == AxisIndex::Kind::lookup ? lookedUp(axis, node) : affine(*axis.index);
      const bool beyond = found < 0 || found >= axis.size;
      outside |= beyond;
      foreign |= isForeign(axis, beyond ? 0 : found);
      element += (found - axis.held.start) * axis.stride;
      assert((outside || foreign || axis.held.contains(found)) && "an operand is read only where its rank holds it");
    }
    if (foreign) return 0;
    assert((!outside || node.otherwise >= 0) && "an index outside the operand needs an 'else'");
    return outside ? value(node.otherwise) : loadElement(plan.array->data, element, plan.array->dtype);
  }

  // Another rank has the row and counts it. Of a row that no rank has, the one with row 0 says what counts instead.
  bool isForeign(const CarefulAxis& axis, std::int64_t row) const {
    return axis.index->kind == AxisIndex::Kind::lookup && axis.index->loop >= 0 &&
           !range(axis.index->loop).contains(row);
  }

  std::int64_t affine(const AxisIndex& index) {
    std::int64_t sum = index.offset;
    for (const LoopTerm& term : index.terms) sum += term.factor * this->index(term.loop);
    if (index.divide != 1) sum = floorDivide(sum, index.divide);
    return index.modulo != 0 ? floorModulo(sum, index.modulo) : sum;
  }

  std::int64_t lookedUp(const CarefulAxis& axis, const Node& node) {
    const double row = value(axis.index->node);
    if (row >= 0 && row < static_cast<double>(axis.size)) return static_cast<std::int64_t>(row);
    if (node.otherwise < 0) refuseRow(row, axis, expression_.operands[static_cast<std::size_t>(node.operand)]);
    return -1;
  }

  const Expression& expression_;
  std::span<const Range> loops_;
  std::vector<std::int64_t> index_;
  std::vector<PlannedRead> reads_;  // by node
  std::vector<RandomKey> keys_;     // by node
};

}  // namespace

std::vector<std::int64_t> rowMajorStrides(std::span<const std::int64_t> shape) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t d = shape.size(); d-- > 1;) strides[d - 1] = strides[d] * shape[d];
  return strides;
}

RandomKey RandomContext::keyOf(std::string_view name) const {
  return labels.empty() ? randomKey(seed, name, step, microbatch) : randomKey(seed, withLabels(name, labels, iteration), step, microbatch);
}

void evaluate(const Expression& expression, std::span<const ReadArray> operands, std::span<const WriteArray> outputs,
              std::span<const Range> loops, const RandomContext& random) {
  assert(operands.size() == expression.operands.size() && outputs.size() == expression.outputs.size());
  assert(loops.size() == expression.loops.size());
  Evaluation evaluation(expression, operands, loops, random);
  for (std::size_t i = 0; i < outputs.size(); ++i) evaluation.write(expression.outputs[i], outputs[i]);
}

namespace {

std::vector<Range> wholeOf(std::span<const std::int64_t> sizes) {
  std::vector<Range> ranges;
  for (std::int64_t size : sizes) ranges.push_back({0, size});
  return ranges;
}

Array emptyOutput(const Expression& expression, const ExpressionOutput& output) {
  Array array;
  std::int64_t elements = 1;
  for (int loop : output.loops) {
    array.sizes.push_back(expression.loops[static_cast<std::size_t>(loop)].extent);
    elements *= array.sizes.back();
  }
  array.values.resize(static_cast<std::size_t>(elements));
  return array;
}

}  // namespace

std::vector<Array> evaluate(const Expression& expression, std::span<const Array> operands,
                            const RandomContext& random) {
  std::vector<ReadArray> reads;
  for (const Array& one : operands)
    reads.push_back({one.values.data(), DType::f64, one.sizes, wholeOf(one.sizes), rowMajorStrides(one.sizes)});
  std::vector<Array> results;
  for (const ExpressionOutput& output : expression.outputs) results.push_back(emptyOutput(expression, output));
  std::vector<WriteArray> writes;
  for (Array& one : results)
    writes.push_back({one.values.data(), DType::f64, wholeOf(one.sizes), rowMajorStrides(one.sizes)});
  evaluate(expression, reads, writes, wholeRanges(expression), random);
  for (std::size_t i = 0; i < results.size(); ++i)
    if (!isFloating(expression.outputs[i].dtype))
      for (double& value : results[i].values) value = roundTo(expression.outputs[i].dtype, value);
  return results;
}

}  // namespace core
