#include "core/io/naming/relate.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "core/base/error.h"
#include "core/io/naming/relater.h"

namespace core::naming {

using positional::Model;
using positional::Node;

const std::map<std::string, Rule>& rules() {
  static const std::map<std::string, Rule> table = [] {
    std::map<std::string, Rule> all;
    for (const auto* some : {&elementRules(), &productRules(), &shapeRules(), &indexRules(), &networkRules(), &arrangeRules()}) all.insert(some->begin(), some->end());
    return all;
  }();
  return table;
}

namespace {

// One symbol is one class in all inputs, but for a tensor that has it twice.
void declareInputs(Relater& relater) {
  for (int input : relater.model.inputs) {
    const positional::Value& value = relater.model.values[static_cast<std::size_t>(input)];
    bool stored = isParameter(value) && std::all_of(value.symbols.begin(), value.symbols.end(), [](const std::string& symbol) { return symbol.empty(); });
    if (stored) continue;  // its axes are made where it is read, like those of an initializer
    Axes axes;
    Axis taken;
    const positional::Sizes& sizes = relater.sizesOf(input);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const std::string& symbol = i < value.symbols.size() ? value.symbols[i] : "";
      if (sizes[i] == 1) {
        axes.emplace_back();
        continue;
      }
      auto known = relater.names.symbols.find(symbol);
      bool again = !symbol.empty() && known != relater.names.symbols.end() && std::find(taken.begin(), taken.end(), known->second) == taken.end();
      AtomId atom = again ? known->second : relater.atoms.make(sizes[i]);
      if (!symbol.empty() && known == relater.names.symbols.end()) {
        relater.names.symbols[symbol] = atom;
        relater.atoms.setSymbol(atom, symbol);
      }
      taken.push_back(atom);
      axes.push_back({atom});
    }
    relater.setAxes(input, axes);
  }
}

// A symbol on one side of a tie takes the size of the other: the file says so.
void rebind(const Relater& relater, const Contradiction& found, const Node& node) {
  const auto& unbound = relater.walk.unbound;
  for (auto [a, b] : {std::pair{found.a, found.b}, std::pair{found.b, found.a}}) {
    if (a.size() != 1) continue;
    const std::string& symbol = relater.atoms.at(relater.atoms.root(a[0])).symbol;
    if (symbol.empty() || std::find(unbound.begin(), unbound.end(), symbol) == unbound.end()) continue;
    throw Rebind{symbol, relater.atoms.product(b), node.name};
  }
}

std::string describe(const Relater& relater, const Contradiction& found) {
  if (!found.why.empty() || (found.a.empty() && found.b.empty())) return found.why;
  return fmt::format("it ties an axis of {} to one of {}", relater.atoms.product(found.a), relater.atoms.product(found.b));
}

void makeOpaque(Relater& relater, const Node& node, Relation& relation) {
  relation.opaque = true;
  relation.summed.clear();
  relation.takings.clear();
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    relation.outputs[i].clear();
    if (node.outputs[i] >= 0) relation.outputs[i] = relater.freshFor(node.outputs[i]);
  }
}

// A contradictory file may bring one dimension twice into a result.
void checkOnce(const Relater& relater, const Axes& axes) {
  Axis leaves = relater.atoms.leaves(axes);
  if (std::set<AtomId>(leaves.begin(), leaves.end()).size() != leaves.size()) throw Contradiction{};
}

Relation startOf(Relater& relater, std::size_t n) {
  const Node& node = relater.model.nodes[n];
  Relation relation{.node = static_cast<int>(n)};
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    bool flows = node.inputs[i] >= 0 && !isStructural(node, i);
    relation.operands.push_back(flows ? relater.operand(node.inputs[i]) : Operand{});
  }
  relation.outputs.resize(node.outputs.size());
  return relation;
}

// The file says what sizes come out, whatever the data.
bool declared(const Relater& relater, const Node& node) {
  if (node.outputs.empty() || node.outputs[0] < 0) return false;
  const auto& sizes = relater.model.values[static_cast<std::size_t>(node.outputs[0])].sizes;
  return sizes && std::all_of(sizes->begin(), sizes->end(), [](std::int64_t size) { return size > 0; });
}

// Sizes, axes and bounds must be known at import: what a graph input decides is no fixed operator.
bool saysHow(const Relater& relater, const Node& node) {
  static const std::set<std::string> bySizes{"Reshape", "Expand", "ConstantOfShape", "Squeeze", "Unsqueeze"};
  if (bySizes.count(node.type) && declared(relater, node)) return true;
  for (std::size_t i = 0; i < node.inputs.size(); ++i)
    if (node.inputs[i] >= 0 && isStructural(node, i) && !relater.known(node.inputs[i]).data) return false;
  return true;
}

void visit(Relater& relater, std::size_t n) {
  const Node& node = relater.model.nodes[n];
  Relation relation = startOf(relater, n);
  auto rule = rules().find(node.type);
  bool known = node.domain.empty() && rule != rules().end();
  if (known && !saysHow(relater, node)) {
    relation.why = "data decide its sizes or its axes";
    known = false;
  }
  if (known) {
    try {
      rule->second(relater, node, relation);
      for (const Axes& output : relation.outputs) checkOnce(relater, output);
    } catch (const Contradiction& found) {
      rebind(relater, found, node);
      relation = startOf(relater, n);
      relation.why = describe(relater, found);
      known = false;
    } catch (const std::out_of_range&) {  // fewer inputs or axes than the operator has
      relation = startOf(relater, n);
      relation.why = "it has fewer inputs or axes than the operator needs";
      known = false;
    }
  }
  if (!known) makeOpaque(relater, node, relation);
  if (node.type == "Shape" || node.type == "Size") relation.why = openSymbol;
  for (std::size_t i = 0; i < node.outputs.size(); ++i)
    if (node.outputs[i] >= 0) relater.setAxes(node.outputs[i], relation.outputs[i]);
  relater.names.relations.push_back(std::move(relation));
}

}  // namespace

Names relate(const Model& model, const Walk& walk) {
  Relater relater(model, walk);
  relater.names.axes.resize(model.values.size());
  relater.names.indexed.resize(model.values.size());
  declareInputs(relater);
  declareTiles(relater);
  for (std::size_t n = 0; n < model.nodes.size(); ++n)
    if (walk.alive[n]) visit(relater, n);
  for (const std::vector<int>* all : {&model.inputs, &model.outputs})
    for (int value : *all)
      if (!relater.names.axes[static_cast<std::size_t>(value)]) relater.operand(value);
  relater.atoms.uniteTwins();
  return std::move(relater.names);
}

}  // namespace core::naming
