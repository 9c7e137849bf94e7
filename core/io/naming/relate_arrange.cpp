#include <algorithm>

#include "core/io/naming/relater.h"

// Operators that lay elements out anew: blocks of space and depth, copies, triangles, classes as dimensions.

namespace core::naming {

using positional::Node;

namespace {

// The axis as parts of these sizes, major to minor; throws Contradiction where it is cut otherwise.
Axes cutInto(Relater& relater, const Axis& axis, const std::vector<std::int64_t>& sizes) {
  Atoms& atoms = relater.atoms;
  std::vector<std::int64_t> real;
  std::int64_t product = 1;
  for (std::int64_t size : sizes) {
    product *= size;
    if (size > 1) real.push_back(size);
  }
  if (product != atoms.product(atoms.leaves(axis))) throw Contradiction{};
  if (real.size() > 1 && !atoms.refine(atoms.leaves(axis), real)) throw Contradiction{axis, {}, "its blocks do not go with how the axis is cut elsewhere"};
  const Axis leaves = atoms.leaves(axis);
  Axes parts;
  std::size_t next = 0;
  for (std::int64_t size : sizes) {
    parts.emplace_back();
    for (std::int64_t filled = 1; filled < size; ++next) {
      parts.back().push_back(leaves.at(next));
      filled *= atoms.size(leaves[next]);
    }
  }
  return parts;
}

Axis joined(const Axis& a, const Axis& b) {
  Axis all = a;
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

// [batch, channels, height, width]: part of the channels becomes the minor part of height and width.
void depthToSpace(Relater& relater, const Node& node, Relation& relation) {
  const Axes& axes = relation.operands.at(0).axes;
  const std::int64_t block = node.integer("blocksize", 0);
  if (axes.size() != 4 || block < 1) throw Contradiction{};
  const bool depthFirst = node.text("mode", "DCR") == "DCR";
  const std::int64_t channels = relater.atoms.product(relater.atoms.leaves(axes[1])) / (block * block);
  const Axes parts = cutInto(relater, axes[1], depthFirst ? std::vector{block, block, channels} : std::vector{channels, block, block});
  const std::size_t first = depthFirst ? 0 : 1;
  relation.outputs.at(0) = {axes[0], parts[depthFirst ? 2 : 0], joined(axes[2], parts[first]), joined(axes[3], parts[first + 1])};
  relater.carry(node.input(0), node.outputs[0]);
}

void spaceToDepth(Relater& relater, const Node& node, Relation& relation) {
  const Axes& axes = relation.operands.at(0).axes;
  const std::int64_t block = node.integer("blocksize", 0);
  if (axes.size() != 4 || block < 1) throw Contradiction{};
  const auto cut = [&](const Axis& axis) { return cutInto(relater, axis, {relater.atoms.product(relater.atoms.leaves(axis)) / block, block}); };
  const Axes high = cut(axes[2]), wide = cut(axes[3]);
  relation.outputs.at(0) = {axes[0], joined(joined(high[1], wide[1]), axes[1]), high[0], wide[0]};
  relater.carry(node.input(0), node.outputs[0]);
}

// Copies stand in a new dimension before the axis.
void tile(Relater& relater, const Node& node, Relation& relation) {
  const DataPtr repeats = relater.dataOf(node, 1);
  const Axes& axes = relation.operands.at(0).axes;
  if (!repeats || repeats->integers.size() != axes.size() || node.inputs.size() > 2) throw Contradiction{};
  Axes& out = relation.outputs.at(0);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::int64_t times = repeats->integers[i];
    if (times < 1) throw Contradiction{};
    out.push_back(axes[i]);
    if (times == 1) continue;
    relation.added.push_back(relater.atoms.make(times));
    out.back().insert(out.back().begin(), relation.added.back());
  }
}

// The last two axes are counted along.
void triangle(Relater& relater, const Node&, Relation& relation) {
  Operand& operand = relation.operands.at(0);
  if (operand.axes.size() < 2) throw Contradiction{};
  for (std::size_t i : {operand.axes.size() - 2, operand.axes.size() - 1}) relater.makeWhole(operand, i);
  relation.outputs.at(0) = operand.axes;
}

void cumulative(Relater& relater, const Node& node, Relation& relation) {
  Operand& operand = relation.operands.at(0);
  const DataPtr axis = relater.dataOf(node, 1);
  if (!axis || axis->count() != 1) throw Contradiction{};
  relater.makeWhole(operand, axisOf(axis->integers.at(0), operand.axes.size()));
  relation.outputs.at(0) = operand.axes;
}

void oneHot(Relater& relater, const Node& node, Relation& relation) {
  const Operand& ids = relation.operands.at(0);
  if (relation.operands.at(2).axes.size() != 1) throw Contradiction{};
  const std::int64_t rank = static_cast<std::int64_t>(ids.axes.size()) + 1;
  const std::size_t axis = axisOf(node.integer("axis", -1), static_cast<std::size_t>(rank));
  const std::int64_t classes = relater.sizesOf(node.outputs.at(0))[axis];
  if (classes > 1) relation.added = {relater.atoms.make(classes)};
  relater.tieIndex(node.inputs[0], relation.added);
  relation.outputs.at(0) = ids.axes;
  relation.outputs[0].insert(relation.outputs[0].begin() + static_cast<std::ptrdiff_t>(axis), relation.added);
}

// Along the axis ids and result have a dimension of their own; elsewhere those of the data where they are as long.
void gatherElements(Relater& relater, const Node& node, Relation& relation) {
  Operand &data = relation.operands.at(0), &ids = relation.operands.at(1);
  const std::size_t axis = axisOf(node.integer("axis", 0), data.axes.size());
  if (ids.axes.size() != data.axes.size()) throw Contradiction{};
  relater.makeWhole(data, axis);
  relater.tieIndex(node.inputs[1], data.axes[axis]);
  for (std::size_t i = 0; i < data.axes.size(); ++i) {
    if (i == axis) continue;
    if (relater.sizesOf(node.inputs[0])[i] != relater.sizesOf(node.inputs[1])[i]) throw Contradiction{.why = "the ids are fewer than the data beside the axis"};
    relater.unify(data, i, ids, i);
  }
  const Axis rows = relater.atoms.leaves(data.axes[axis]);
  for (AtomId a : relater.atoms.leaves(ids.axes[axis]))
    if (std::find(rows.begin(), rows.end(), a) != rows.end()) relater.rename({&ids}, a, {&data, &ids});
  relation.summed.push_back(data.axes[axis]);
  relation.outputs.at(0) = ids.axes;
}

void scatterElements(Relater& relater, const Node& node, Relation& relation) {
  Operand &data = relation.operands.at(0), &ids = relation.operands.at(1), &updates = relation.operands.at(2);
  const std::size_t axis = axisOf(node.integer("axis", 0), data.axes.size());
  if (ids.axes.size() != data.axes.size() || updates.axes.size() != data.axes.size()) throw Contradiction{};
  relater.makeWhole(data, axis);
  relater.tieIndex(node.inputs[1], data.axes[axis]);
  for (std::size_t i = 0; i < data.axes.size(); ++i) {
    relater.unify(ids, i, updates, i);
    if (i == axis) continue;
    if (relater.sizesOf(node.inputs[0])[i] != relater.sizesOf(node.inputs[1])[i]) throw Contradiction{.why = "the ids are fewer than the data beside the axis"};
    relater.unify({&ids, &updates}, ids, i, {&data}, data, i);
  }
  const Axis rows = relater.atoms.leaves(data.axes[axis]);
  for (AtomId a : relater.atoms.leaves(ids.axes[axis]))
    if (std::find(rows.begin(), rows.end(), a) != rows.end()) {
      relater.rename({&ids, &updates}, a, {&data, &ids, &updates});
      break;
    }
  relation.outputs.at(0) = data.axes;
}

}  // namespace

const std::map<std::string, Rule>& arrangeRules() {
  static const std::map<std::string, Rule> table{{"DepthToSpace", depthToSpace}, {"SpaceToDepth", spaceToDepth}, {"Tile", tile}, {"Trilu", triangle}, {"EyeLike", triangle}, {"CumSum", cumulative},
                                                 {"OneHot", oneHot}, {"GatherElements", gatherElements}, {"ScatterElements", scatterElements}, {"Scatter", scatterElements}};
  return table;
}

}  // namespace core::naming
