#include <map>
#include <utility>

#include "core/tdl/function.h"
#include "core/tdl/interval.h"
#include "core/tdl/linear.h"
#include "core/tdl/print.h"

namespace core {
namespace {

class Canonical {
 public:
  explicit Canonical(const Expression& source) : source_(source) { built_.operands = source.operands; }

  Expression expression() {
    for (const ExpressionOutput& output : source_.outputs)
      built_.outputs.push_back({output.name, loops(output.loops), -1, output.dtype});
    for (std::size_t i = 0; i < source_.outputs.size(); ++i) built_.outputs[i].root = tree(source_.outputs[i].root);
    return std::move(built_);
  }

 private:
  int loop(int id) {
    if (id < 0) return id;
    const auto [known, fresh] = renumbered_.try_emplace(id, static_cast<int>(built_.loops.size()));
    if (fresh) built_.loops.push_back(source_.loops[static_cast<std::size_t>(id)]);
    return known->second;
  }

  std::vector<int> loops(const std::vector<int>& ids) {
    std::vector<int> found;
    for (int id : ids) found.push_back(loop(id));
    return found;
  }

  int tree(int at) {
    if (at < 0) return at;
    const Node& node = source_.nodes[static_cast<std::size_t>(at)];
    Node made{.kind = node.kind};
    switch (node.kind) {
      case Node::Kind::constant:
        made.value = node.value;
        break;
      case Node::Kind::loop:
        made.loops = loops(node.loops);
        break;
      case Node::Kind::read:
        read(node, made);
        break;
      case Node::Kind::unary:
        made.function = node.function;
        if (rowOf(node.function).parameter) made.value = node.value;
        break;
      case Node::Kind::binary:
        made.function = node.function;
        break;
      case Node::Kind::select:
        break;
      case Node::Kind::reduce:
        made.loops = loops(node.loops);
        made.reduction = node.reduction;
        break;
      case Node::Kind::cast:
        made.dtype = node.dtype;
        break;
      case Node::Kind::random:
        made.loops = loops(node.loops);
        made.seed = node.seed;
        break;
    }
    made.a = tree(node.a);
    made.b = tree(node.b);
    made.c = tree(node.c);
    built_.nodes.push_back(std::move(made));
    return static_cast<int>(built_.nodes.size()) - 1;
  }

  void read(const Node& node, Node& made) {
    made.operand = node.operand;
    made.otherwise = tree(node.otherwise);
    for (const AxisIndex& index : node.axes) made.axes.push_back(axis(index));
  }

  AxisIndex axis(const AxisIndex& index) {
    if (index.kind == AxisIndex::Kind::whole) return {.kind = index.kind};
    if (index.kind == AxisIndex::Kind::lookup) {
      const int node = tree(index.node);
      return {.kind = index.kind, .node = node, .loop = loop(index.loop)};
    }
    AxisIndex made{
        .terms = collected(index.terms), .offset = index.offset, .divide = index.divide, .modulo = index.modulo};
    for (LoopTerm& term : made.terms) term.loop = loop(term.loop);
    if (!made.terms.empty()) return made;
    const std::int64_t quotient = floorDivide(index.offset, index.divide);
    return {.offset = index.modulo != 0 ? floorModulo(quotient, index.modulo) : quotient};
  }

  const Expression& source_;
  Expression built_;
  std::map<int, int> renumbered_;
};

}  // namespace

Expression canonical(const Expression& expression) {
  return Canonical(expression).expression();
}

}  // namespace core
