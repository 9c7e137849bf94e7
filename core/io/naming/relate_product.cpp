#include <algorithm>
#include <set>

#include "core/io/equation.h"
#include "core/io/naming/relater.h"

// Operators that multiply and sum, and those that work element by element.

namespace core::naming {

using positional::Node;

namespace {

// Where an axis of a result is read from.
struct Place {
  Operand* operand = nullptr;
  std::size_t axis = 0;
};

// From the activation with most leaves; parameters and constants last; what was made earlier before what was made later.
std::vector<Operand*> inOrder(const Relater& relater, std::vector<Operand*> operands) {
  auto rank = [&](const Operand* one) {
    int producer = relater.model.values[static_cast<std::size_t>(one->value)].producer;
    return std::tuple(one->parameter || one->fixed, -static_cast<std::int64_t>(relater.atoms.leaves(one->axes).size()), producer);
  };
  std::stable_sort(operands.begin(), operands.end(), [&](const Operand* a, const Operand* b) { return rank(a) < rank(b); });
  return operands;
}

// Two axes of the result that became one dimension (an outer product of a vector with itself): the later operand's is renamed.
void separate(Relater& relater, std::vector<Place>& result, const Side& before, Operand& later) {
  std::set<AtomId> seen;
  for (Place& place : result)
    if (place.operand && place.operand != &later)
      for (AtomId a : relater.atoms.leaves(place.operand->axes[place.axis])) seen.insert(a);
  Side all = before;
  all.push_back(&later);
  for (Place& place : result) {
    if (place.operand != &later) continue;
    for (AtomId a : relater.atoms.leaves(later.axes[place.axis]))
      if (seen.count(a)) relater.rename({&later}, a, all);
  }
}

}  // namespace

Axes Relater::join(std::vector<Operand*> operands) {
  operands = inOrder(*this, std::move(operands));
  std::size_t rank = 0;
  for (Operand* one : operands) rank = std::max(rank, one->axes.size());
  std::vector<Place> result(rank);
  Side joined;
  for (Operand* one : operands) {
    std::size_t offset = rank - one->axes.size();
    for (std::size_t i = one->axes.size(); i-- > 0;) {
      if (atoms.leaves(one->axes[i]).empty()) continue;
      Place& place = result[offset + i];
      if (place.operand) unify(joined, *place.operand, place.axis, {one}, *one, i);
      else place = {one, i};
    }
    separate(*this, result, joined, *one);
    joined.push_back(one);
  }
  Axes axes(rank);
  for (std::size_t i = 0; i < rank; ++i)
    if (result[i].operand) axes[i] = atoms.leaves(result[i].operand->axes[result[i].axis]);
  return axes;
}

Axes Relater::contract(Relation& relation, std::vector<std::vector<int>> labels, std::vector<int> out) {
  std::vector<Operand*> operands;
  for (Operand& one : relation.operands)
    if (one.value >= 0 && operands.size() < labels.size()) operands.push_back(&one);
  auto contracted = [&](int label) { return std::find(out.begin(), out.end(), label) == out.end(); };
  std::map<int, Place> holders;
  std::vector<int> order;
  Side joined;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    Operand& one = *operands[k];
    for (std::size_t i = 0; i < labels[k].size(); ++i) {
      int label = labels[k][i];
      if (atoms.leaves(one.axes.at(i)).empty()) continue;
      auto [place, fresh] = holders.emplace(label, Place{&one, i});
      if (fresh) order.push_back(label);
      else unify(joined, *place->second.operand, place->second.axis, {&one}, one, i, contracted(label) && one.parameter && !place->second.operand->parameter);
    }
    joined.push_back(&one);
  }
  // No loop of the product may be another: rows and columns of Q * K^T.
  std::set<AtomId> seen;
  for (bool pass : {false, true})
    for (int label : order) {
      if (contracted(label) != pass) continue;
      Side holding;
      for (std::size_t k = 0; k < operands.size(); ++k)
        for (std::size_t i = 0; i < labels[k].size(); ++i)
          if (labels[k][i] == label && !atoms.leaves(operands[k]->axes[i]).empty()) holding.push_back(operands[k]);
      Place place = holders[label];
      for (AtomId a : atoms.leaves(place.operand->axes[place.axis]))
        if (seen.count(a)) rename(holding, a, joined);
      for (AtomId a : atoms.leaves(place.operand->axes[place.axis])) seen.insert(a);
    }
  atoms.declare(Axis(seen.begin(), seen.end()));
  Axes axes;
  for (int label : out) axes.push_back(holders.count(label) ? atoms.leaves(holders[label].operand->axes[holders[label].axis]) : Axis{});
  for (int label : order)
    if (contracted(label)) relation.summed.push_back(atoms.leaves(holders[label].operand->axes[holders[label].axis]));
  relation.labels = std::move(labels);
  relation.outLabels = std::move(out);
  return axes;
}

namespace {

void elementwise(Relater& relater, const Node& node, Relation& relation) {
  std::vector<Operand*> operands;
  for (Operand& one : relation.operands)
    if (one.value >= 0) operands.push_back(&one);
  Axes axes = relater.join(operands);
  for (std::size_t i = 0; i < node.outputs.size(); ++i) relation.outputs[i] = axes;
}

void unary(Relater& relater, const Node& node, Relation& relation) {
  for (Axes& output : relation.outputs) output = relation.operands.at(0).axes;
  relater.carry(node.input(0), node.outputs.at(0));
}

// Batch axes are counted from the right and have the labels -1, -2, ...; rows 0, contraction 1, columns 2.
void matmul(Relater& relater, const Node&, Relation& relation) {
  auto labelsOf = [](std::size_t rank, int first, int second, int vector) {
    std::vector<int> labels;
    if (rank == 1) return std::vector<int>{vector};
    for (std::size_t i = 0; i + 2 < rank; ++i) labels.push_back(-static_cast<int>(rank - 2 - i));
    labels.push_back(first);
    labels.push_back(second);
    return labels;
  };
  std::size_t a = relation.operands.at(0).axes.size(), b = relation.operands.at(1).axes.size();
  if (a == 0 || b == 0) throw Contradiction{};
  std::vector<int> out;
  for (std::size_t i = std::max(a, b); i > 2; --i) out.push_back(-static_cast<int>(i - 2));
  if (a > 1) out.push_back(0);
  if (b > 1) out.push_back(2);
  relation.outputs.at(0) = relater.contract(relation, {labelsOf(a, 0, 1, 1), labelsOf(b, 1, 2, 1)}, out);
}

void gemm(Relater& relater, const Node& node, Relation& relation) {
  bool transA = node.integer("transA", 0) != 0, transB = node.integer("transB", 0) != 0;
  if (relation.operands.at(0).axes.size() != 2 || relation.operands.at(1).axes.size() != 2) throw Contradiction{};
  std::vector<int> a = transA ? std::vector{1, 0} : std::vector{0, 1}, b = transB ? std::vector{2, 1} : std::vector{1, 2};
  Operand product{.value = node.inputs[0], .axes = relater.contract(relation, {a, b}, {0, 2})};
  if (relation.operands.size() > 2 && relation.operands[2].value >= 0) {
    Operand& bias = relation.operands[2];
    if (bias.axes.size() > 2) throw Contradiction{};
    std::size_t offset = 2 - bias.axes.size();
    for (std::size_t i = 0; i < bias.axes.size(); ++i)
      if (!relater.atoms.leaves(bias.axes[i]).empty()) relater.unify(product, offset + i, bias, i);
  }
  relation.outputs.at(0) = product.axes;
}

void einsum(Relater& relater, const Node& node, Relation& relation) {
  auto equation = parseEquation(node.text("equation", ""), relation.operands.size());
  if (!equation) throw Contradiction{};
  std::vector<std::vector<int>> labels;
  for (std::size_t i = 0; i < equation->inputs.size(); ++i) {
    if (equation->inputs[i].size() != relation.operands[i].axes.size()) throw Contradiction{};
    labels.emplace_back(equation->inputs[i].begin(), equation->inputs[i].end());
  }
  relation.outputs.at(0) = relater.contract(relation, labels, {equation->output.begin(), equation->output.end()});
}

}  // namespace

const std::map<std::string, Rule>& elementRules() {
  static const std::map<std::string, Rule> table = [] {
    std::map<std::string, Rule> all;
    for (const char* name : {"Add", "Sub", "Mul", "Div", "Pow", "Mod", "Max", "Min", "Sum", "Mean", "And", "Or", "Xor", "Equal", "Less", "Greater", "LessOrEqual", "GreaterOrEqual", "Where", "PRelu", "Clip"})
      all[name] = elementwise;
    for (const char* name : {"Neg", "Abs", "Sign", "Exp", "Log", "Sqrt", "Reciprocal", "Sin", "Cos", "Tan", "Asin", "Acos", "Atan", "Sinh", "Cosh", "Tanh", "Asinh", "Acosh", "Atanh", "Erf", "Sigmoid", "Softplus",
                             "Softsign", "Relu", "Floor", "Ceil", "Round", "Not", "IsNaN", "IsInf", "Elu", "Selu", "Celu", "ThresholdedRelu", "LeakyRelu", "HardSigmoid", "HardSwish", "Gelu", "Mish", "Cast", "Identity", "Dropout",
                             "Softmax", "LogSoftmax", "Hardmax", "CastLike", "Shrink", "MeanVarianceNormalization", "LRN"})
      all[name] = unary;
    return all;
  }();
  return table;
}

const std::map<std::string, Rule>& productRules() {
  static const std::map<std::string, Rule> table{{"MatMul", matmul}, {"Gemm", gemm}, {"Einsum", einsum}};
  return table;
}

}  // namespace core::naming
