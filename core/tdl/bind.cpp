#include "core/tdl/bind.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/tdl/extents.h"
#include "core/tdl/function.h"
#include "core/tdl/lex.h"
#include "core/tdl/linear.h"
#include "core/tdl/reduction.h"
#include "core/tdl/stars.h"

namespace core {
namespace {

class Binder {
 public:
  Binder(const Definition& definition, const Bindings& bindings)
      : definition_(definition),
        bindings_(bindings),
        stars_(findStars(definition, bindings)),
        extents_(definition, built_) {
    for (const BoundOperand& one : bindings.operands) built_.operands.push_back(one.name);
  }

  Expression expression() {
    for (const DefinedOutput& output : definition_.outputs) addOutput(output);
    for (std::size_t i = 0; i < definition_.outputs.size(); ++i) {
      enterScopeOf(i);
      const Term& term = definition_.values[std::min(i, definition_.values.size() - 1)];
      built_.outputs[i].root = isOpaque(term) ? opaque(term) : value(term);
    }
    extents_.finish();
    setTypes();
    return std::move(built_);
  }

 private:
  [[noreturn]] void fail(std::size_t column, const std::string& what, const std::string& right) const {
    throw Error{.what = what, .where = placeIn(definition_.source, column), .right = right};
  }

  // --- loops ---

  Loop& loop(int id) { return built_.loops[static_cast<std::size_t>(id)]; }

  std::int64_t givenExtent(const LoopName& name) const {
    if (name.extent) return *name.extent;
    const auto given = bindings_.extents.find(name.name);
    return given == bindings_.extents.end() ? 0 : given->second;
  }

  // The loops that a name stands for: one, or those of a star's dimensions.
  std::vector<int> makeLoops(const LoopName& name, Loop::Kind kind, Reduction reduction) {
    if (!name.star) {
      const int id = extents_.add(
          {.name = name.name, .extent = givenExtent(name), .kind = kind, .reduction = reduction}, name.column);
      if (loop(id).extent > 0) extents_.give(id);
      return {id};
    }
    const auto star = stars_.find(name.name);
    if (star == stars_.end())
      fail(name.column, "no operand has *" + name.name, "read one, as in x[*" + name.name + "]");
    std::vector<int> ids;
    for (const StarDim& dim : star->second)
      ids.push_back(extents_.add(
          {.name = dim.name, .dim = dim.id, .extent = dim.size, .kind = kind, .reduction = reduction}, name.column));
    return ids;
  }

  static std::string key(const LoopName& name) { return (name.star ? "*" : "") + name.name; }

  void addOutput(const DefinedOutput& output) {
    ExpressionOutput made{.name = output.name};
    for (const LoopName& name : output.loops) {
      auto [known, fresh] = outputLoops_.try_emplace(key(name));
      if (fresh) known->second = makeLoops(name, Loop::Kind::output, Reduction::sum);
      for (int id : known->second) {
        if (std::count(made.loops.begin(), made.loops.end(), id))
          fail(name.column, "'" + name.name + "' stands twice", "a dimension stands once in a tensor");
        made.loops.push_back(id);
      }
    }
    built_.outputs.push_back(std::move(made));
  }

  void enterScopeOf(std::size_t output) {
    scope_.clear();
    for (const LoopName& name : definition_.outputs[output].loops) scope_[key(name)] = outputLoops_.at(key(name));
  }

  // The loop of a dimension of *b that is in scope.
  int starLoop(const std::string& star, const StarDim& dim, std::size_t column) {
    const auto found = scope_.find("*" + star);
    if (found == scope_.end())
      fail(column, "*" + star + " is no loop here", "put it into the output or reduce over it");
    const std::vector<StarDim>& dims = stars_.at(star);
    for (std::size_t i = 0; i < dims.size(); ++i)
      if (dims[i].name == dim.name) return found->second[i];
    fail(column, "*" + star + " has no dimension '" + dim.name + "'", "");
  }

  // --- nodes; children before parents ---

  int add(Node node) {
    built_.nodes.push_back(std::move(node));
    return static_cast<int>(built_.nodes.size()) - 1;
  }

  int value(const Term& term) {
    switch (term.kind) {
      case Term::Kind::number:
        return add({.kind = Node::Kind::constant, .value = term.number});
      case Term::Kind::name:
        return named(term);
      case Term::Kind::read:
        return read(term, -1);
      case Term::Kind::otherwise: {
        ++branches_;
        const int other = value(term.children[1]);
        --branches_;
        return read(term.children[0], other);
      }
      case Term::Kind::call:
        return call(term);
      case Term::Kind::prefix:
        return negative(term);
      case Term::Kind::infix:
        return infix(term);
      case Term::Kind::reduce:
        return reduce(term);
      case Term::Kind::text:
        fail(term.column, "a text is no value", "texts name random numbers: uniform(\"name\", i)");
      case Term::Kind::star:
      case Term::Kind::whole:
        break;
    }
    fail(term.column, "an index is no value", "");
  }

  int named(const Term& term) {
    if (const auto found = scope_.find(term.name); found != scope_.end())
      return add({.kind = Node::Kind::loop, .loops = found->second});
    if (const auto number = parameter(term.name)) return add({.kind = Node::Kind::constant, .value = *number});
    fail(term.column, "'" + term.name + "' is no loop or parameter here", didYouMean(term.name, knownNames()));
  }

  std::optional<double> parameter(const std::string& name) const {
    if (const auto found = bindings_.integers.find(name); found != bindings_.integers.end())
      return static_cast<double>(found->second);
    if (const auto found = bindings_.numbers.find(name); found != bindings_.numbers.end()) return found->second;
    return std::nullopt;
  }

  std::vector<std::string> knownNames() const {
    std::vector<std::string> names;
    for (const auto& [name, loops] : scope_) names.push_back(name);
    for (const auto& [name, number] : bindings_.integers) names.push_back(name);
    for (const auto& [name, number] : bindings_.numbers) names.push_back(name);
    return names;
  }

  int negative(const Term& term) {
    const int a = value(term.children[0]);
    return add({.kind = Node::Kind::unary, .a = a, .function = Function::negate});
  }

  Function functionOf(const std::string& sign) const {
    if (sign == "%") return Function::floorModulo;
    if (sign == "/" && indexDepth_ > 0) return Function::floorDivide;
    for (const FunctionRow& row : allFunctions())
      if (row.arity == 2 && row.sign == sign) return row.function;
    return Function::identity;
  }

  int infix(const Term& term) {
    const int a = value(term.children[0]);
    const int b = value(term.children[1]);
    return add({.kind = Node::Kind::binary, .a = a, .b = b, .function = functionOf(term.name)});
  }

  int reduce(const Term& term) {
    const Reduction reduction = *findReduction(term.name);
    const auto outer = scope_;
    std::vector<int> loops;
    for (const LoopName& name : term.loops) {
      if (scope_.count(key(name)))
        fail(name.column, "'" + name.name + "' already runs here", "a reduction has loops of its own");
      auto [known, fresh] = reducedLoops_.try_emplace({key(name), reduction});
      if (fresh) known->second = makeLoops(name, Loop::Kind::reduced, reduction);
      scope_[key(name)] = known->second;
      loops.insert(loops.end(), known->second.begin(), known->second.end());
    }
    const int a = value(term.children[0]);
    scope_ = outer;
    return add({.kind = Node::Kind::reduce, .a = a, .loops = std::move(loops), .reduction = reduction});
  }

  // --- calls ---

  void expectArguments(const Term& term, std::size_t count) const {
    if (term.children.size() != count)
      fail(term.column, term.name + " got " + std::to_string(term.children.size()) + " arguments",
           "it takes " + std::to_string(count));
  }

  int call(const Term& term) {
    if (term.name == "select") return select(term);
    if (term.name == "uniform") return uniform(term);
    if (isOpaque(term)) fail(term.column, "opaque stands inside a value", "opaque(...) is a whole value");
    for (DType dtype : {DType::f32, DType::f64, DType::bf16, DType::f16, DType::i32, DType::i64, DType::boolean})
      if (term.name == toString(dtype)) return castTo(dtype, term);
    const auto function = findFunction(term.name);
    if (!function)
      fail(term.column, "there is no function '" + term.name + "'", didYouMean(term.name, functionNames()));
    return rowOf(*function).arity == 2 ? binary(*function, term) : unary(*function, term);
  }

  static std::vector<std::string> functionNames() {
    std::vector<std::string> names{"select", "uniform"};
    for (const FunctionRow& row : allFunctions()) names.emplace_back(row.name);
    return names;
  }

  int select(const Term& term) {
    expectArguments(term, 3);
    const int a = value(term.children[0]);
    ++branches_;
    const int b = value(term.children[1]);
    const int c = value(term.children[2]);
    --branches_;
    return add({.kind = Node::Kind::select, .a = a, .b = b, .c = c});
  }

  int castTo(DType dtype, const Term& term) {
    expectArguments(term, 1);
    const int a = value(term.children[0]);
    return add({.kind = Node::Kind::cast, .a = a, .dtype = dtype});
  }

  int binary(Function function, const Term& term) {
    expectArguments(term, 2);
    const int a = value(term.children[0]);
    const int b = value(term.children[1]);
    return add({.kind = Node::Kind::binary, .a = a, .b = b, .function = function});
  }

  int unary(Function function, const Term& term) {
    const std::optional<double> usual = rowOf(function).parameter;
    if (!usual || term.children.size() != 2) expectArguments(term, 1);
    const int a = value(term.children[0]);
    Node node{.kind = Node::Kind::unary, .value = usual.value_or(0), .a = a, .function = function};
    if (term.children.size() == 2) node.value = constantOf(term.children[1]);
    return add(std::move(node));
  }

  double constantOf(const Term& term) {
    const int made = value(term);
    const Node node = built_.nodes[static_cast<std::size_t>(made)];
    if (node.kind != Node::Kind::constant) fail(term.column, "a constant is needed here", "a number or a parameter");
    built_.nodes.pop_back();
    return node.value;
  }

  int uniform(const Term& term) {
    if (term.children.empty() || term.children[0].kind != Term::Kind::text)
      fail(term.column, "uniform needs a name first", "uniform(\"name\", i, j)");
    Node node{.kind = Node::Kind::random, .seed = term.children[0].name};
    for (std::size_t i = 1; i < term.children.size(); ++i) {
      const Term& one = term.children[i];
      const auto found = one.kind == Term::Kind::name ? scope_.find(one.name) : scope_.end();
      if (found == scope_.end()) fail(one.column, "uniform counts loops", "the name of a loop that runs here");
      node.loops.insert(node.loops.end(), found->second.begin(), found->second.end());
    }
    return add(std::move(node));
  }

  static bool isOpaque(const Term& term) { return term.kind == Term::Kind::call && term.name == "opaque"; }

  int opaque(const Term& term) {
    if (term.children.size() != 1 || term.children[0].kind != Term::Kind::read)
      fail(term.column, "opaque takes one read", "as in opaque(x[b,:])");
    return read(term.children[0], -1);
  }

  // --- reads ---

  int operandNamed(const Term& term) const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < bindings_.operands.size(); ++i) {
      if (bindings_.operands[i].name == term.name) return static_cast<int>(i);
      names.push_back(bindings_.operands[i].name);
    }
    fail(term.column, "there is no operand '" + term.name + "'", didYouMean(term.name, names));
  }

  int read(const Term& term, int otherwise) {
    Node node{.kind = Node::Kind::read, .operand = operandNamed(term), .otherwise = otherwise};
    const BoundOperand& operand = bindings_.operands[static_cast<std::size_t>(node.operand)];
    for (const Term& index : term.children) {
      if (index.kind == Term::Kind::star) {
        for (const StarDim& dim : starOf(operand, term))
          node.axes.push_back(plain(starLoop(index.name, dim, index.column)));
        continue;
      }
      if (node.axes.size() == operand.sizes.size()) break;
      node.axes.push_back(axis(index, node.operand, node.axes.size(), otherwise >= 0));
    }
    const bool star = std::any_of(term.children.begin(), term.children.end(),
                                  [](const Term& one) { return one.kind == Term::Kind::star; });
    if (node.axes.size() != operand.sizes.size() || (!star && term.children.size() != operand.sizes.size()))
      fail(term.column, "'" + term.name + "' is read by " + std::to_string(term.children.size()) + " indices",
           "it has " + std::to_string(operand.sizes.size()) + " dimensions");
    return add(std::move(node));
  }

  static AxisIndex plain(int loop) { return {.terms = {{loop, 1}}}; }

  AxisIndex axis(const Term& index, int operand, std::size_t d, bool mayBeOutside) {
    if (index.kind == Term::Kind::whole) return {.kind = AxisIndex::Kind::whole};
    const BoundOperand& of = bindings_.operands[static_cast<std::size_t>(operand)];
    if (auto found = affineIndex(index, scope_, bindings_.integers)) {
      if (found->identity()) extents_.settle(found->terms[0].loop, of, d, index.column, mayBeOutside || branches_ > 0);
      return *found;
    }
    ++indexDepth_;
    const int node = value(index);
    --indexDepth_;
    return {.kind = AxisIndex::Kind::lookup, .node = node, .loop = lookupLoop(index, operand, d)};
  }

  // Two reads of one row share the loop over the table's rows.
  int lookupLoop(const Term& index, int operand, std::size_t d) {
    const BoundOperand& of = bindings_.operands[static_cast<std::size_t>(operand)];
    std::string text = definition_.source.substr(index.column, index.end - index.column);
    std::erase(text, ' ');
    auto [known, fresh] = lookups_.try_emplace({operand, d, text});
    if (fresh)
      known->second = extents_.add({.name = d < of.dims.size() ? of.dims[d] : "rows",
                                    .dim = d < of.ids.size() ? of.ids[d] : DimId{},
                                    .extent = of.sizes[d],
                                    .kind = Loop::Kind::lookup},
                                   index.column);
    return known->second;
  }

  void setTypes() {
    std::vector<DType> operands;
    for (const BoundOperand& one : bindings_.operands) operands.push_back(one.dtype);
    for (std::size_t i = 0; i < built_.outputs.size(); ++i)
      built_.outputs[i].dtype =
          i < bindings_.dtypes.size() ? bindings_.dtypes[i] : resultType(built_, built_.outputs[i].root, operands);
  }

  const Definition& definition_;
  const Bindings& bindings_;
  Stars stars_;
  Expression built_;
  Extents extents_;
  LoopScope scope_;  // name, or "*name", of loops that run here
  std::map<std::string, std::vector<int>> outputLoops_;
  std::map<std::pair<std::string, Reduction>, std::vector<int>> reducedLoops_;
  std::map<std::tuple<int, std::size_t, std::string>, int> lookups_;
  int indexDepth_ = 0;  // inside how many indices, where / divides whole numbers
  int branches_ = 0;    // inside how many values that count only under a condition
};

}  // namespace

Expression bind(const Definition& definition, const Bindings& bindings) {
  return Binder(definition, bindings).expression();
}

}  // namespace core
