#include <algorithm>

#include "core/io/naming/relater.h"
#include "core/io/onnx_fold.h"

// Operators that take a part, or read where other data say.

namespace core::naming {

using positional::Node;

namespace {

// The last `parts`-th of an axis that is cut into equal parts: the major atoms go, by their index.
bool takePart(Relater& relater, const Axis& axis, std::int64_t parts, std::int64_t index, std::vector<Taking>& takings, Axis& rest) {
  Atoms& atoms = relater.atoms;
  Axis own = atoms.leaves(axis);
  std::int64_t each = atoms.product(own) / parts;
  std::vector<std::int64_t> sizes{parts};
  if (each > 1) sizes.push_back(each);
  if (!atoms.refine(own, sizes)) return false;
  own = atoms.leaves(own);
  Taking taking{.start = index};
  std::int64_t major = 1;
  for (AtomId a : own) {
    if (major < parts) taking.from.push_back(a), major *= atoms.size(a);
    else rest.push_back(a);
  }
  takings.push_back(taking);
  return true;
}

void takeRange(Relater& relater, Operand& operand, std::size_t axis, std::int64_t start, std::int64_t step, std::int64_t count, std::vector<Taking>& takings, Axis& to) {
  if (count < 1) throw Contradiction{};
  if (count == 1) {
    takings.push_back({.from = relater.atoms.leaves(operand.axes[axis]), .start = start});
    return;
  }
  relater.makeWhole(operand, axis);
  Axis own = relater.atoms.leaves(operand.axes[axis]);
  to = {relater.atoms.derived(own.at(0), count)};
  takings.push_back({own, to, start, step});
}

void split(Relater& relater, const Node& node, Relation& relation) {
  Operand& operand = relation.operands.at(0);
  std::size_t axis = axisOf(node.integer("axis", 0), operand.axes.size());
  relation.takings.resize(node.outputs.size());
  std::vector<std::int64_t> sizes;
  for (int output : node.outputs) sizes.push_back(output < 0 ? 0 : relater.sizesOf(output).at(axis));
  bool even = std::all_of(sizes.begin(), sizes.end(), [&](std::int64_t size) { return size == sizes[0]; });
  if (relater.atoms.product(relater.atoms.leaves(operand.axes[axis])) != sizes[0] * static_cast<std::int64_t>(sizes.size())) even = false;
  if (relater.varies(node.inputs.at(0), axis) && !even && sizes.size() > 1) throw Contradiction{.why = openSymbol};
  std::int64_t start = 0;
  for (std::size_t i = 0; i < sizes.size(); start += sizes[i++]) {
    if (node.outputs[i] < 0) continue;
    Axis rest;
    bool part = even && sizes.size() > 1 && takePart(relater, operand.axes[axis], static_cast<std::int64_t>(sizes.size()), static_cast<std::int64_t>(i), relation.takings[i], rest);
    if (!part && sizes.size() > 1) takeRange(relater, operand, axis, start, 1, sizes[i], relation.takings[i], rest);
    else if (!part) rest = operand.axes[axis];
    relation.outputs[i] = operand.axes;
    relation.outputs[i][axis] = rest;
    relater.carry(node.input(0), node.outputs[i]);
  }
}

// How many elements stay behind the range whatever the size of the axis; -1 where it is the range that keeps its length.
std::int64_t leftOff(Relater& relater, const Node& node, const Cut& cut) {
  if (!relater.varies(node.inputs[0], cut.axis)) return -1;
  positional::Sizes sizes = relater.sizesOf(node.inputs[0]);
  std::int64_t size = sizes[cut.axis]++;
  auto longer = sliceCuts(node, relater.dataOf(node), sizes);
  auto same = std::find_if(longer->begin(), longer->end(), [&](const Cut& one) { return one.axis == cut.axis; });
  int ends = node.input(2);
  bool fixedEnd = ends < 0 || !relater.walk.dataVaries[static_cast<std::size_t>(ends)];
  bool follows = fixedEnd && cut.step == 1 && same->count == cut.count + 1;
  if (same->start != cut.start || (cut.step != 1 && same->count != cut.count)) throw Contradiction{.why = openSymbol};
  return follows ? size - cut.start - cut.count : -1;
}

void slice(Relater& relater, const Node& node, Relation& relation) {
  Operand& operand = relation.operands.at(0);
  auto cuts = sliceCuts(node, relater.dataOf(node), relater.sizesOf(node.inputs.at(0)));
  if (!cuts) throw Contradiction{};
  for (std::size_t i : {1, 4})  // a start or a step that a symbol decides is not a slice
    if (node.input(i) >= 0 && relater.walk.dataVaries[static_cast<std::size_t>(node.input(i))]) throw Contradiction{};
  relation.takings.resize(1);
  Axes out = operand.axes;
  auto tile = relater.tiles.find(relation.node);
  for (const Cut& cut : *cuts) {
    if (cut.count == relater.sizesOf(node.inputs[0])[cut.axis] && cut.start == 0 && cut.step == 1) continue;
    Axis rest;
    std::int64_t behind = leftOff(relater, node, cut);
    bool part = tile != relater.tiles.end() && takePart(relater, operand.axes[cut.axis], tile->second.parts, tile->second.index, relation.takings[0], rest);
    if (!part) takeRange(relater, operand, cut.axis, cut.start, cut.step, cut.count, relation.takings[0], rest);
    if (!part) relation.takings[0].back().leftOff = behind;
    out[cut.axis] = rest;
  }
  relation.outputs[0] = out;
  relater.carry(node.input(0), node.outputs.at(0));
}

// An index that is known takes one element and the axis goes; any other reads rows that the ids name.
void gather(Relater& relater, const Node& node, Relation& relation) {
  Operand& data = relation.operands.at(0);
  std::size_t axis = axisOf(node.integer("axis", 0), data.axes.size());
  DataPtr index = relater.isFixed(node.inputs.at(1)) ? relater.dataOf(node, 1) : nullptr;
  Axes& out = relation.outputs.at(0);
  out.assign(data.axes.begin(), data.axes.begin() + static_cast<std::ptrdiff_t>(axis));
  Axes rest(data.axes.begin() + static_cast<std::ptrdiff_t>(axis) + 1, data.axes.end());
  if (index && index->count() == 1) {
    std::int64_t rows = relater.sizesOf(node.inputs[0])[axis], at = index->integers.at(0);
    if (at < 0 && relater.varies(node.inputs[0], axis)) throw Contradiction{.why = openSymbol};
    relation.operands[1] = Operand{};
    relation.takings.resize(1);
    if (rows > 1) relation.takings[0].push_back({.from = relater.atoms.leaves(data.axes[axis]), .start = at < 0 ? at + rows : at});
    out.insert(out.end(), index->sizes.size(), Axis{});
    relater.carry(node.input(0), node.outputs[0]);
  } else {
    Operand& ids = relation.operands.at(1);
    relater.makeWhole(data, axis);
    relater.tieIndex(node.inputs[1], data.axes[axis]);
    Axis taken;
    for (std::size_t i = 0; i < data.axes.size(); ++i)
      for (AtomId a : relater.atoms.leaves(data.axes[i])) taken.push_back(a);
    for (AtomId a : relater.atoms.leaves(ids.axes))
      if (std::find(taken.begin(), taken.end(), a) != taken.end()) relater.rename({&ids}, a, {&data, &ids});
    out.insert(out.end(), ids.axes.begin(), ids.axes.end());
    relation.summed.push_back(data.axes[axis]);
  }
  out.insert(out.end(), rest.begin(), rest.end());
}

// 0, 1, 2, ... over a dimension whose size a symbol decides.
void range(Relater& relater, const Node& node, Relation& relation) {
  relation.outputs.at(0) = relater.freshFor(node.outputs[0]);
  for (std::size_t i : {0, 2})
    if (!relater.isFixed(node.inputs.at(i))) throw Contradiction{};
}

void filled(Relater& relater, const Node& node, Relation& relation) { relation.outputs.at(0) = relater.freshFor(node.outputs.at(0)); }

void topK(Relater& relater, const Node& node, Relation& relation) {
  Operand& operand = relation.operands.at(0);
  std::size_t axis = axisOf(node.integer("axis", -1), operand.axes.size());
  relater.makeWhole(operand, axis);
  Axes out = operand.axes;
  std::int64_t k = relater.sizesOf(node.outputs.at(0))[axis];
  out[axis] = k == 1 ? Axis{} : Axis{relater.atoms.make(k)};
  if (k > 1) relater.atoms.hint(out[axis], 2, "top_k");
  for (Axes& one : relation.outputs) one = out;
  if (node.outputs.size() > 1) relater.tieIndex(node.outputs[1], operand.axes[axis]);
}

void arg(Relater& relater, const Node& node, Relation& relation) {
  Operand& operand = relation.operands.at(0);
  std::size_t axis = axisOf(node.integer("axis", 0), operand.axes.size());
  relater.makeWhole(operand, axis);
  relation.outputs.at(0) = operand.axes;
  relater.tieIndex(node.outputs.at(0), operand.axes[axis]);
  if (node.integer("keepdims", 1)) relation.outputs[0][axis] = {};
  else relation.outputs[0].erase(relation.outputs[0].begin() + static_cast<std::ptrdiff_t>(axis));
}

}  // namespace

const std::map<std::string, Rule>& indexRules() {
  static const std::map<std::string, Rule> table{{"Split", split}, {"Slice", slice}, {"Gather", gather}, {"Range", range}, {"ConstantOfShape", filled}, {"TopK", topK},
                                                 {"ArgMax", arg}, {"ArgMin", arg}};
  return table;
}

// Slices of one value along one axis, of equal length, that cover it without gap: each is then one part of the axis.
void declareTiles(Relater& relater) {
  struct One {
    int node;
    Cut cut;
  };
  std::map<std::pair<int, std::size_t>, std::vector<One>> found;
  for (std::size_t n = 0; n < relater.model.nodes.size(); ++n) {
    const Node& node = relater.model.nodes[n];
    if (!relater.walk.alive[n] || node.type != "Slice" || !node.domain.empty() || !relater.known(node.inputs.at(0)).sizes) continue;
    auto cuts = sliceCuts(node, relater.dataOf(node), *relater.known(node.inputs[0]).sizes);
    if (!cuts) continue;
    std::erase_if(*cuts, [&](const Cut& cut) { return cut.count == (*relater.known(node.inputs[0]).sizes)[cut.axis] && cut.step == 1; });
    if (cuts->size() == 1 && (*cuts)[0].step == 1) found[{node.inputs[0], (*cuts)[0].axis}].push_back({static_cast<int>(n), (*cuts)[0]});
  }
  for (auto& [key, ones] : found) {
    std::int64_t size = (*relater.known(key.first).sizes)[key.second], count = ones[0].cut.count;
    std::set<std::int64_t> starts;
    for (const One& one : ones)
      if (one.cut.count == count && one.cut.start % std::max<std::int64_t>(count, 1) == 0) starts.insert(one.cut.start);
    bool whole = count > 0 && size % count == 0 && static_cast<std::int64_t>(starts.size()) == size / count && size / count > 1;
    if (!whole) continue;
    for (const One& one : ones)
      if (one.cut.count == count && starts.count(one.cut.start)) relater.tiles[one.node] = {size / count, one.cut.start / count};
  }
}

}  // namespace core::naming
