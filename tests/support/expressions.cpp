#include "tests/support/expressions.h"

#include <algorithm>
#include <array>

#include "core/tdl/interval.h"

namespace tests {

using namespace core;

Expression express(std::string_view text, Bindings bindings) {
  return bind(parseDefinition(text), bindings);
}

Expression express(std::string_view text, std::vector<BoundOperand> operands) {
  return express(text, Bindings{.operands = std::move(operands)});
}

namespace {

class Maker {
 public:
  explicit Maker(Random& random) : random_(random) {}

  RandomExpression make() {
    Expression& made = made_.expression;
    const int outputs = static_cast<int>(random_.integer(1, 2));
    for (int i = 0; i < outputs; ++i) {
      std::vector<int> loops;
      const std::int64_t rank = random_.integer(0, 3);
      while (static_cast<std::int64_t>(loops.size()) < rank)
        loops.push_back(newLoop(Loop::Kind::output, Reduction::sum));
      scope_ = loops;
      const int root = node(4);
      made.outputs.push_back({"y" + std::to_string(i), loops, root, random_.chance(0.8) ? DType::f32 : DType::i32});
    }
    return std::move(made_);
  }

 private:
  std::vector<Loop>& loops() { return made_.expression.loops; }

  int newLoop(Loop::Kind kind, Reduction reduction) {
    const int id = static_cast<int>(loops().size());
    loops().push_back(
        {.name = "l" + std::to_string(id), .extent = random_.integer(1, 4), .kind = kind, .reduction = reduction});
    return id;
  }

  int add(Node node) {
    made_.expression.nodes.push_back(std::move(node));
    return static_cast<int>(made_.expression.nodes.size()) - 1;
  }

  int node(int depth) {
    if (depth == 0) return leaf();
    switch (random_.integer(0, 8)) {
      case 0:
        return unary(depth);
      case 1:
      case 2:
        return binary(depth);
      case 3:
        return select(depth);
      case 4:
      case 5:
        return reduce(depth);
      case 6:
        return add(
            {.kind = Node::Kind::cast, .a = node(depth - 1), .dtype = random_.chance(0.5) ? DType::i32 : DType::bf16});
      default:
        return read(depth);
    }
  }

  int leaf() {
    switch (random_.integer(0, 4)) {
      case 0:
        return add({.kind = Node::Kind::constant,
                    .value = random_.chance(0.5) ? random_.normal() : static_cast<double>(random_.integer(-3, 3))});
      case 1:
        return scope_.empty() ? read(0) : add({.kind = Node::Kind::loop, .loops = {random_.pick(scope_)}});
      case 2:
        return add(
            {.kind = Node::Kind::random, .loops = scope_, .seed = "drop/" + std::to_string(random_.integer(0, 9))});
      default:
        return read(0);
    }
  }

  int unary(int depth) {
    constexpr std::array functions{Function::negate,    Function::abs,        Function::tanh,
                                   Function::relu,      Function::logicalNot, Function::elu,
                                   Function::leakyRelu, Function::sigmoid,    Function::floor};
    Node made{.kind = Node::Kind::unary, .function = random_.pick(functions)};
    if (made.function == Function::elu || made.function == Function::leakyRelu) made.value = random_.uniform();
    made.a = node(depth - 1);
    return add(std::move(made));
  }

  int binary(int depth) {
    constexpr std::array functions{
        Function::add,       Function::subtract,   Function::multiply,    Function::divide,     Function::maximum,
        Function::less,      Function::lessEqual,  Function::equal,       Function::notEqual,   Function::logicalAnd,
        Function::logicalOr, Function::logicalXor, Function::floorModulo, Function::floorDivide};
    Node made{.kind = Node::Kind::binary, .function = random_.pick(functions)};
    made.a = node(depth - 1);
    made.b = node(depth - 1);
    return add(std::move(made));
  }

  int select(int depth) {
    Node made{.kind = Node::Kind::select};
    made.a = node(depth - 1);
    made.b = node(depth - 1);
    made.c = node(depth - 1);
    return add(std::move(made));
  }

  int reduce(int depth) {
    constexpr std::array reductions{Reduction::sum, Reduction::product,    Reduction::max,
                                    Reduction::min, Reduction::logicalAnd, Reduction::logicalOr};
    Node made{.kind = Node::Kind::reduce, .reduction = random_.pick(reductions)};
    const std::vector<int> outer = scope_;
    for (std::int64_t i = random_.integer(1, 2); i > 0; --i) {
      made.loops.push_back(newLoop(Loop::Kind::reduced, made.reduction));
      scope_.push_back(made.loops.back());
    }
    made.a = node(depth - 1);
    scope_ = outer;
    return add(std::move(made));
  }

  AxisIndex affine() {
    AxisIndex index{.offset = random_.integer(-2, 3)};
    for (int loop : scope_)
      if (random_.chance(0.4))
        index.terms.push_back({loop, random_.chance(0.6)   ? 1
                                     : random_.chance(0.5) ? random_.integer(2, 3)
                                                           : random_.integer(-3, -1)});
    if (index.terms.empty()) return index;
    if (random_.chance(0.2)) index.divide = random_.integer(2, 3);
    if (random_.chance(0.2)) index.modulo = random_.integer(2, 4);
    return index;
  }

  int read(int depth) {
    Node made{.kind = Node::Kind::read, .operand = static_cast<int>(made_.operands.size())};
    BoundOperand operand{.name = "x" + std::to_string(made.operand)};
    made_.operands.push_back(operand);
    made_.arrays.emplace_back();
    made_.expression.operands.push_back(operand.name);
    bool outside = false;
    for (std::int64_t d = random_.integer(0, 2); d > 0; --d) {
      const std::string dim = operand.name + "_d" + std::to_string(d);
      const bool lookup = depth > 0 && random_.chance(0.25);
      made.axes.push_back(lookup ? lookedUp(operand, dim) : axis(operand, outside));
      operand.dims.push_back(dim);
    }
    if (outside || random_.chance(0.15)) made.otherwise = node(std::max(0, depth - 1));
    made_.arrays[static_cast<std::size_t>(made.operand)] = normalArray(random_, operand.sizes);
    made_.operands[static_cast<std::size_t>(made.operand)] = operand;
    return add(std::move(made));
  }

  AxisIndex axis(BoundOperand& operand, bool& outside) {
    if (!scope_.empty() && random_.chance(0.4)) {
      const int loop = random_.pick(scope_);
      operand.sizes.push_back(loops()[static_cast<std::size_t>(loop)].extent);
      return {.terms = {{loop, 1}}};
    }
    const AxisIndex index = affine();
    const Interval read = indexInterval(index, wholeRanges(made_.expression), 1);
    const bool fits = read.low >= 0 && random_.chance(0.7);
    operand.sizes.push_back(fits ? read.high + 1 : random_.integer(1, 4));
    outside |= !fits;
    return index;
  }

  // ids[...] over loops that run here, with rows of this axis.
  AxisIndex lookedUp(BoundOperand& operand, const std::string& dim) {
    const std::int64_t rows = random_.integer(1, 4);
    operand.sizes.push_back(rows);
    Node ids{.kind = Node::Kind::read, .operand = static_cast<int>(made_.operands.size())};
    BoundOperand of{.name = "ids" + std::to_string(ids.operand), .dtype = DType::i64};
    if (!scope_.empty() && random_.chance(0.8)) {
      const int loop = random_.pick(scope_);
      ids.axes.push_back({.terms = {{loop, 1}}});
      of.dims.push_back(of.name + "_d");
      of.sizes.push_back(loops()[static_cast<std::size_t>(loop)].extent);
    }
    made_.arrays.push_back(integerArray(random_, of.sizes, 0, rows - 1));
    made_.expression.operands.push_back(of.name);
    made_.operands.push_back(of);
    const int node = add(std::move(ids));
    loops().push_back({.name = dim, .extent = rows, .kind = Loop::Kind::lookup});
    return {.kind = AxisIndex::Kind::lookup, .node = node, .loop = static_cast<int>(loops().size()) - 1};
  }

  Random& random_;
  RandomExpression made_;
  std::vector<int> scope_;
};

}  // namespace

RandomExpression randomExpression(Random& random) {
  return Maker(random).make();
}

}  // namespace tests
