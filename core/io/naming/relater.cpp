#include "core/io/naming/relater.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"

namespace core::naming {

using positional::Node;
using positional::Sizes;
using positional::Value;

DataPtr Relater::dataOf(const Node& node, std::size_t input) const {
  int value = node.input(input);
  return value < 0 ? nullptr : known(value).data;
}

std::vector<DataPtr> Relater::dataOf(const Node& node) const {
  std::vector<DataPtr> found;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) found.push_back(dataOf(node, i));
  return found;
}

bool Relater::varies(int value, std::size_t axis) const {
  const auto& all = walk.varies[static_cast<std::size_t>(value)];
  return axis < all.size() && all[axis];
}

const Sizes& Relater::sizesOf(int value) const {
  const Known& found = known(value);
  const std::string& name = model.values[static_cast<std::size_t>(value)].name;
  if (!found.sizes) throw Error{.what = fmt::format("the number of axes of \"{}\" is not known", name), .where = {}, .right = "a file that declares its shape, or operators that give it"};
  for (std::size_t axis = 0; axis < found.sizes->size(); ++axis)
    if ((*found.sizes)[axis] < 1)
      throw Error{.what = fmt::format("the size of axis {} of \"{}\" is {}", axis, name, (*found.sizes)[axis] < 0 ? "not known" : "0"), .where = {}, .right = "sizes of at least 1, or symbols of the inputs"};
  return *found.sizes;
}

Axes Relater::freshAxes(const Sizes& sizes) {
  Axes axes;
  for (std::int64_t size : sizes) axes.push_back(size == 1 ? Axis{} : Axis{atoms.make(size)});
  atoms.declare(atoms.leaves(axes));
  return axes;
}

Axes Relater::freshFor(int value) { return freshAxes(sizesOf(value)); }

Operand Relater::operand(int value) {
  auto v = static_cast<std::size_t>(value);
  const Value& stored = model.values[v];
  bool fixed = isFixed(value), kept = stored.kind == Value::Kind::initializer || fixed || isParameter(stored);
  Operand found{.value = value};
  found.parameter = isParameter(stored) || parameterView_.count(value) > 0;
  found.fixed = !found.parameter && (kept || fixedView_.count(value) > 0);
  bool first = !names.axes[v];
  if (first) names.axes[v] = freshFor(value);
  found.axes = *names.axes[v];
  // One stored vector may serve as many things (exporters merge equal ones): each use has a name of its own.
  if (!first && kept && found.axes.size() == 1 && !found.axes[0].empty()) {
    Axes own = freshFor(value);
    found.edits.push_back({found.axes[0], own[0]});
    found.axes = own;
  }
  return found;
}

void Relater::setAxes(int value, Axes axes) {
  if (value < 0) return;
  atoms.declare(atoms.leaves(axes));
  names.axes[static_cast<std::size_t>(value)] = std::move(axes);
}

std::set<AtomId> Relater::leavesOf(const Side& side) const {
  std::set<AtomId> found;
  for (const Operand* one : side)
    for (AtomId a : atoms.leaves(one->axes)) found.insert(a);
  return found;
}

void Relater::replace(Operand& operand, AtomId from, AtomId to) {
  bool any = false;
  for (Axis& axis : operand.axes) {
    axis = atoms.leaves(axis);
    for (AtomId& a : axis)
      if (a == from) a = to, any = true;
  }
  if (!any) return;
  operand.edits.push_back({{from}, {to}});
  atoms.declare(atoms.leaves(operand.axes));
}

void Relater::rename(const Side& side, AtomId from, const Side& all) {
  AtomId to = atoms.twin(from, leavesOf(all));
  for (Operand* one : side) replace(*one, from, to);
}

void Relater::tie(const Side& x, const Side& y, AtomId a, AtomId b, bool renameX) {
  if (atoms.unite(a, b)) return;
  bool legalX = !leavesOf(x).count(b), legalY = !leavesOf(y).count(a);
  if (legalX && (renameX || !legalY)) {
    for (Operand* one : x) replace(*one, a, b);
  } else if (legalY) {
    for (Operand* one : y) replace(*one, b, a);
  } else {
    Side all = x;
    all.insert(all.end(), y.begin(), y.end());
    AtomId third = atoms.twin(a, leavesOf(all));
    for (Operand* one : x) replace(*one, a, third);
    for (Operand* one : y) replace(*one, b, third);
  }
}

void Relater::unify(const Side& x, Operand& xo, std::size_t xa, const Side& y, Operand& yo, std::size_t ya, bool renameX) {
  Axis a = atoms.leaves(xo.axes[xa]), b = atoms.leaves(yo.axes[ya]);
  if (atoms.product(a) != atoms.product(b)) throw Contradiction{a, b};
  if (!atoms.align(a, b)) {  // a real merge and split stay
    std::set<AtomId> taken = leavesOf(y);
    Axis to;
    for (AtomId atom : a) to.push_back(taken.count(atom) ? atoms.twin(atom, taken) : atom);
    yo.edits.push_back({b, to});
    yo.axes[ya] = to;
    b = to;
    a = atoms.leaves(xo.axes[xa]);
  }
  // Renames change what stands in the axis, so each pair is read anew.
  for (std::size_t i = 0; i < atoms.leaves(a).size(); ++i) tie(x, y, atoms.leaves(xo.axes[xa])[i], atoms.leaves(yo.axes[ya])[i], renameX);
}

void Relater::unify(Operand& x, std::size_t xa, Operand& y, std::size_t ya) { unify({&x}, x, xa, {&y}, y, ya); }

void Relater::splitMajor(const Axis& axis, std::int64_t count) {
  const std::int64_t rest = atoms.product(axis) / count;
  if (rest * count != atoms.product(axis)) throw Contradiction{axis, {}, fmt::format("{} channels are no whole number of {} groups", atoms.product(axis), count)};
  if (count > 1 && rest > 1 && !atoms.refine(atoms.leaves(axis), {count, rest})) throw Contradiction{axis, {}, "its groups do not go with how the channels are cut elsewhere"};
}

std::pair<Axis, Axis> Relater::partsOf(const Axis& axis, std::int64_t count) const {
  std::pair<Axis, Axis> parts;
  std::int64_t size = 1;
  for (AtomId leaf : atoms.leaves(axis)) {
    (size < count ? parts.first : parts.second).push_back(leaf);
    size *= atoms.size(leaf);
  }
  return parts;
}

void Relater::unifyParts(Operand& x, const Axis& a, Operand& y, const Axis& b) {
  if (atoms.product(a) != atoms.product(b)) throw Contradiction{a, b};
  if (!atoms.align(a, b)) throw Contradiction{a, b, "its groups do not go with how the channels are cut elsewhere"};
  const Axis from = atoms.leaves(a), to = atoms.leaves(b);
  for (std::size_t i = 0; i < from.size(); ++i) tie({&x}, {&y}, from[i], to[i], true);
}

void Relater::makeWhole(Operand& operand, std::size_t axis) {
  Axis own = atoms.leaves(operand.axes[axis]);
  if (own.empty()) return;
  if (own.size() > 1) {
    auto [found, fresh] = merged_.emplace(own, -1);
    if (fresh) found->second = atoms.make(atoms.product(own));
    operand.edits.push_back({own, {found->second}});
    operand.axes[axis] = {found->second};
    own = {atoms.root(found->second)};
    atoms.declare(atoms.leaves(operand.axes));
  }
  atoms.setWhole(own[0]);
}

void Relater::tieIndex(int ids, const Axis& rows) {
  if (ids < 0 || rows.empty()) return;
  Axis own = atoms.leaves(indexed(ids)), other = atoms.leaves(rows);
  if (own.empty()) indexed(ids) = other;
  else if (own.size() == 1 && other.size() == 1 && atoms.size(own[0]) == atoms.size(other[0])) atoms.unite(own[0], other[0]);
}

void Relater::carry(int from, int to) {
  if (from < 0 || to < 0) return;
  if (indexed(to).empty()) indexed(to) = indexed(from);
  const Value& value = model.values[static_cast<std::size_t>(from)];
  if (isParameter(value) || parameterView_.count(from)) parameterView_.insert(to);
  else if (isFixed(from) || value.kind == Value::Kind::initializer || fixedView_.count(from)) fixedView_.insert(to);
}

std::size_t axisOf(std::int64_t axis, std::size_t rank) {
  if (axis < 0) axis += static_cast<std::int64_t>(rank);
  if (axis < 0 || axis >= static_cast<std::int64_t>(rank)) throw Contradiction{};
  return static_cast<std::size_t>(axis);
}

}  // namespace core::naming
