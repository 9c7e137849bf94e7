#include <algorithm>

#include "core/io/naming/relater.h"
#include "core/io/onnx_fold.h"

// Operators that only move elements: most of them vanish into names.

namespace core::naming {

using positional::Node;
using positional::Sizes;

namespace {

// One group between common boundaries: `from` atoms become axes of these sizes.
void regroup(Relater& relater, Relation& relation, const Axis& from, const Sizes& sizes, const std::vector<std::size_t>& at, Axes& out) {
  Atoms& atoms = relater.atoms;
  if (atoms.refine(from, sizes)) {
    Axis leaves = atoms.leaves(from);
    std::size_t next = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i)
      for (std::int64_t size = 1; size < sizes[i]; ++next) {
        out[at[i]].push_back(leaves[next]);
        size *= atoms.size(leaves[next]);
      }
    return;
  }
  Edit edit{.from = from};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    out[at[i]] = {atoms.make(sizes[i])};
    edit.to.push_back(out[at[i]][0]);
  }
  relation.operands[0].edits.push_back(edit);
}

Axes reshaped(Relater& relater, Relation& relation, const Sizes& sizes) {
  Atoms& atoms = relater.atoms;
  Axis from = atoms.leaves(relation.operands.at(0).axes);
  Axes out(sizes.size());
  Axis group;
  Sizes groupSizes;
  std::vector<std::size_t> groupAt;
  std::int64_t a = 1, b = 1;
  std::size_t i = from.size(), j = sizes.size();
  while (i > 0 || j > 0) {
    if (j > 0 && sizes[j - 1] == 1) {
      --j;
    } else if (i > 0 && (a <= b || j == 0)) {
      --i;
      a *= atoms.size(from[i]);
      group.insert(group.begin(), from[i]);
    } else if (j > 0) {
      --j;
      b *= sizes[j];
      groupSizes.insert(groupSizes.begin(), sizes[j]);
      groupAt.insert(groupAt.begin(), j);
    }
    if (a != b || group.empty()) continue;
    regroup(relater, relation, group, groupSizes, groupAt, out);
    group.clear();
    groupSizes.clear();
    groupAt.clear();
    a = b = 1;
  }
  if (!group.empty() || !groupSizes.empty()) throw Contradiction{};
  return out;
}

void reshape(Relater& relater, const Node& node, Relation& relation) {
  relation.outputs.at(0) = reshaped(relater, relation, relater.sizesOf(node.outputs[0]));
  relater.carry(node.input(0), node.outputs[0]);
}

void transpose(Relater& relater, const Node& node, Relation& relation) {
  const Axes& axes = relation.operands.at(0).axes;
  std::vector<std::int64_t> order = node.integers("perm").value_or(std::vector<std::int64_t>{});
  if (order.empty())
    for (std::size_t i = axes.size(); i-- > 0;) order.push_back(static_cast<std::int64_t>(i));
  if (order.size() != axes.size()) throw Contradiction{};
  for (std::int64_t axis : order) relation.outputs.at(0).push_back(axes[axisOf(axis, axes.size())]);
  relater.carry(node.input(0), node.outputs[0]);
}

// Squeeze, Unsqueeze and Flatten are reshapes whose sizes the walk knows.

// 1 -> n is a new dimension; all else is kept.
void expand(Relater& relater, const Node& node, Relation& relation) {
  const Sizes& sizes = relater.sizesOf(node.outputs.at(0));
  const Axes& axes = relation.operands.at(0).axes;
  std::size_t offset = sizes.size() - axes.size();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    Axis axis = i < offset ? Axis{} : axes[i - offset];
    if (relater.atoms.leaves(axis).empty() && sizes[i] > 1) {
      axis = {relater.atoms.make(sizes[i])};
      relation.added.push_back(axis[0]);
    }
    relation.outputs[0].push_back(axis);
  }
  relater.carry(node.input(0), node.outputs[0]);
}

std::int64_t total(const Relater& relater, const Axis& axis) { return relater.atoms.product(relater.atoms.leaves(axis)); }

// Equal inputs: (n, part); of one element each: n; unequal: a new axis that nothing is tied to.
void concat(Relater& relater, const Node& node, Relation& relation) {
  auto& operands = relation.operands;
  std::size_t axis = axisOf(node.integer("axis", 0), operands.at(0).axes.size());
  for (Operand& one : operands)
    if (one.axes.size() != operands[0].axes.size()) throw Contradiction{};
  Side joined{&operands[0]};
  bool equal = true;
  for (std::size_t k = 1; k < operands.size(); ++k) {
    for (std::size_t i = 0; i < operands[k].axes.size(); ++i)
      if (i != axis) relater.unify(joined, operands[0], i, {&operands[k]}, operands[k], i);
    equal = equal && total(relater, operands[k].axes[axis]) == total(relater, operands[0].axes[axis]);
    joined.push_back(&operands[k]);
  }
  Axes out;
  if (operands.size() == 1) {
    out = operands[0].axes;
  } else if (equal) {
    joined.resize(1);
    for (std::size_t k = 1; k < operands.size(); joined.push_back(&operands[k++]))
      if (!operands[0].axes[axis].empty()) relater.unify(joined, operands[0], axis, {&operands[k]}, operands[k], axis);
    relation.added = {relater.atoms.make(static_cast<std::int64_t>(operands.size()))};
    out = operands[0].axes;
    out[axis].insert(out[axis].begin(), relation.added[0]);
  } else {
    std::int64_t size = 0;
    for (Operand& one : operands) {
      relater.makeWhole(one, axis);
      size += total(relater, one.axes[axis]);
    }
    out = operands[0].axes;
    out[axis] = {relater.atoms.make(size)};
    relater.atoms.setWhole(out[axis][0]);
    relation.added = out[axis];
  }
  relation.outputs.at(0) = out;
}

// Padding that adds: by a constant, or by elements of the tensor. The rest stays unknown.
void pad(Relater& relater, const Node& node, Relation& relation) {
  std::vector<std::int64_t> pads = relater.dataOf(node, 1) ? relater.dataOf(node, 1)->integers : node.integers("pads").value_or(std::vector<std::int64_t>{});
  Operand& operand = relation.operands.at(0);
  std::size_t rank = operand.axes.size();
  if (pads.size() != 2 * rank || node.input(3) >= 0) throw Contradiction{};
  relation.takings.resize(1);
  for (std::size_t i = 0; i < rank; ++i) {
    constexpr std::int64_t most = std::int64_t{1} << 40;
    if (pads[i] < 0 || pads[i + rank] < 0 || pads[i] > most || pads[i + rank] > most) throw Contradiction{};
    if (pads[i] == 0 && pads[i + rank] == 0) continue;
    if (relater.atoms.leaves(operand.axes[i]).empty()) throw Contradiction{};
    relater.makeWhole(operand, i);
    Axis own = relater.atoms.leaves(operand.axes[i]);
    Axis to{relater.atoms.derived(own[0], total(relater, own) + pads[i] + pads[i + rank])};
    relation.takings[0].push_back({own, to, pads[i], 1});
  }
  Axes out = operand.axes;
  for (const Taking& taking : relation.takings[0])
    for (Axis& axis : out)
      if (axis == taking.from) axis = taking.to;
  relation.outputs.at(0) = out;
}

void reduce(Relater& relater, const Node& node, Relation& relation) {
  const Axes& axes = relation.operands.at(0).axes;
  auto named = axesOf(node, relater.dataOf(node, 1), axes.size());
  if ((!named || named->empty()) && node.integer("noop_with_empty_axes", 0)) {
    relation.outputs.at(0) = axes;
    return;
  }
  if (!named && (node.attributes.count("axes") || node.input(1) >= 0)) throw Contradiction{};
  for (std::size_t i = 0; i < axes.size(); ++i) {
    bool gone = !named || named->empty() || std::binary_search(named->begin(), named->end(), static_cast<std::int64_t>(i));
    if (gone) relation.summed.push_back(axes[i]);
    if (!gone) relation.outputs.at(0).push_back(axes[i]);
    else if (node.integer("keepdims", 1)) relation.outputs.at(0).push_back({});
  }
}

}  // namespace

const std::map<std::string, Rule>& shapeRules() {
  static const std::map<std::string, Rule> table = [] {
    std::map<std::string, Rule> all{{"Reshape", reshape}, {"Flatten", reshape}, {"Squeeze", reshape}, {"Unsqueeze", reshape}, {"Transpose", transpose}, {"Expand", expand}, {"Concat", concat}, {"Pad", pad}};
    for (const char* name : {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceSumSquare"}) all[name] = reduce;
    return all;
  }();
  return table;
}

}  // namespace core::naming
