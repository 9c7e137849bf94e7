#include "core/io/naming/atoms.h"

#include <algorithm>
#include <cassert>

namespace core::naming {

AtomId Atoms::make(std::int64_t size) {
  assert(size > 1 && "an axis of size 1 has no atom");
  auto id = static_cast<AtomId>(atoms_.size());
  atoms_.push_back(Atom{.size = size, .parent = id, .family = id});
  return id;
}

AtomId Atoms::root(AtomId a) const {
  while (at(a).parent != a) a = at(a).parent;
  return a;
}

Axis Atoms::leaves(const Axis& axis) const {
  Axis found;
  for (AtomId a : axis) {
    AtomId r = root(a);
    if (at(r).parts.empty()) {
      found.push_back(r);
    } else {
      Axis inner = leaves(at(r).parts);
      found.insert(found.end(), inner.begin(), inner.end());
    }
  }
  return found;
}

Axis Atoms::leaves(const Axes& axes) const {
  Axis found;
  for (const Axis& axis : axes) {
    Axis inner = leaves(axis);
    found.insert(found.end(), inner.begin(), inner.end());
  }
  return found;
}

std::int64_t Atoms::product(const Axis& axis) const {
  std::int64_t all = 1;
  for (AtomId a : axis) all *= size(a);
  return all;
}

bool Atoms::enemies(AtomId a, AtomId b) const { return at(root(a)).enemies.count(root(b)) > 0; }

bool Atoms::unite(AtomId a, AtomId b) {
  a = root(a);
  b = root(b);
  if (a == b) return true;
  assert(size(a) == size(b) && at(a).parts.empty() && at(b).parts.empty());
  if (enemies(a, b)) return false;
  if (b < a) std::swap(a, b);  // the older one stays: names and twins keep their order
  Atom& kept = atoms_[static_cast<std::size_t>(a)];
  Atom& gone = atoms_[static_cast<std::size_t>(b)];
  gone.parent = a;
  for (AtomId enemy : gone.enemies) {
    Atom& other = atoms_[static_cast<std::size_t>(enemy)];
    other.enemies.erase(b);
    other.enemies.insert(a);
    kept.enemies.insert(enemy);
  }
  gone.enemies.clear();
  kept.whole = kept.whole || gone.whole;
  kept.twins.insert(kept.twins.end(), gone.twins.begin(), gone.twins.end());
  kept.hints.insert(kept.hints.end(), gone.hints.begin(), gone.hints.end());
  if (kept.symbol.empty()) kept.symbol = gone.symbol;
  AtomId x = family(a), y = family(b);
  atoms_[static_cast<std::size_t>(std::max(x, y))].family = std::min(x, y);
  return true;
}

AtomId Atoms::family(AtomId a) const {
  while (at(a).family != a) a = at(a).family;
  return a;
}

bool Atoms::split(AtomId a, const std::vector<std::int64_t>& sizes) {
  a = root(a);
  assert(at(a).parts.empty());
  if (at(a).whole) return false;
  Axis parts;
  for (std::int64_t size : sizes) parts.push_back(make(size));
  Atom& atom = atoms_[static_cast<std::size_t>(a)];
  atom.parts = parts;
  std::set<AtomId> enemies = std::move(atom.enemies);
  atom.enemies.clear();
  for (AtomId enemy : enemies) {
    auto& others = atoms_[static_cast<std::size_t>(enemy)].enemies;
    others.erase(a);
    others.insert(parts.begin(), parts.end());
  }
  for (AtomId part : parts) atoms_[static_cast<std::size_t>(part)].enemies = enemies;
  declare(parts);
  for (AtomId twin : std::vector<AtomId>(atoms_[static_cast<std::size_t>(a)].twins)) {
    twin = root(twin);
    if (twin != a && at(twin).parts.empty() && !at(twin).whole) split(twin, sizes);
    if (at(twin).parts.size() != parts.size()) continue;
    for (std::size_t i = 0; i < parts.size(); ++i) atoms_[static_cast<std::size_t>(parts[i])].twins.push_back(at(twin).parts[i]);
  }
  return true;
}

void Atoms::declare(const Axis& leaves) {
  for (std::size_t i = 0; i < leaves.size(); ++i)
    for (std::size_t j = i + 1; j < leaves.size(); ++j) {
      AtomId a = root(leaves[i]), b = root(leaves[j]);
      assert(a != b && "one dimension twice in a tensor");
      atoms_[static_cast<std::size_t>(a)].enemies.insert(b);
      atoms_[static_cast<std::size_t>(b)].enemies.insert(a);
    }
}

// Products from the minor end: (4, 12) -> 12, 48.
std::set<std::int64_t> Atoms::cutsOf(const Axis& leaves) const {
  std::set<std::int64_t> cuts;
  std::int64_t at = 1;
  for (std::size_t i = leaves.size(); i-- > 0;) cuts.insert(at *= size(leaves[i]));
  return cuts;
}

bool Atoms::allows(const Axis& leaves, const std::set<std::int64_t>& cuts) const {
  std::int64_t low = 1;
  for (std::size_t i = leaves.size(); i-- > 0; low *= size(leaves[i])) {
    auto inside = cuts.upper_bound(low);
    bool cut = inside != cuts.end() && *inside < low * size(leaves[i]);
    if (cut && at(leaves[i]).whole) return false;
  }
  return true;
}

namespace {

// The sizes between neighbouring cuts, major to minor; nothing where one does not divide the next.
std::vector<std::int64_t> between(const std::set<std::int64_t>& cuts) {
  std::vector<std::int64_t> sizes;
  std::int64_t before = 1;
  for (std::int64_t cut : cuts) {
    if (cut % before != 0) return {};
    if (cut > 1) sizes.insert(sizes.begin(), cut / before);
    before = cut;
  }
  return sizes;
}

}  // namespace

bool Atoms::refine(const Axis& axis, const std::vector<std::int64_t>& sizes) {
  Axis own = leaves(axis);
  std::set<std::int64_t> cuts = cutsOf(own);
  std::int64_t total = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) cuts.insert(total *= sizes[i]);
  if (total != product(own) || (total > 1 && between(cuts).empty()) || !allows(own, cuts)) return false;
  std::int64_t low = 1;
  for (std::size_t i = own.size(); i-- > 0;) {
    std::int64_t high = low * size(own[i]);
    std::vector<std::int64_t> parts;
    for (std::int64_t from = low; from < high;) {
      std::int64_t to = *cuts.upper_bound(from);
      parts.insert(parts.begin(), to / from);
      from = to;
    }
    if (parts.size() > 1) split(own[i], parts);
    low = high;
  }
  return true;
}

bool Atoms::align(const Axis& a, const Axis& b) {
  Axis x = leaves(a), y = leaves(b);
  if (product(x) != product(y)) return false;
  std::set<std::int64_t> cuts = cutsOf(x);
  cuts.merge(cutsOf(y));
  std::vector<std::int64_t> sizes = between(cuts);
  if (product(x) > 1 && sizes.empty()) return false;
  if (!allows(x, cuts) || !allows(y, cuts)) return false;
  return refine(a, sizes) && refine(b, sizes);
}

AtomId Atoms::twin(AtomId a, const std::set<AtomId>& taken) {
  a = root(a);
  for (AtomId old : at(a).twins)
    if (at(root(old)).parts.empty() && root(old) != a && !taken.count(root(old))) return root(old);
  AtomId made = make(size(a));
  atoms_[static_cast<std::size_t>(a)].twins.push_back(made);
  atoms_[static_cast<std::size_t>(made)].twins.push_back(a);
  if (at(a).whole) atoms_[static_cast<std::size_t>(made)].whole = true;
  return made;
}

void Atoms::uniteTwins() {
  for (std::size_t i = 0; i < atoms_.size(); ++i) {
    if (root(static_cast<AtomId>(i)) != static_cast<AtomId>(i) || !atoms_[i].parts.empty()) continue;
    std::vector<AtomId> twins = atoms_[i].twins;
    for (std::size_t x = 0; x < twins.size(); ++x)
      for (std::size_t y = x + 1; y < twins.size(); ++y) {
        AtomId a = root(twins[x]), b = root(twins[y]), self = root(static_cast<AtomId>(i));
        if (a != self && b != self && at(a).parts.empty() && at(b).parts.empty() && size(a) == size(b)) unite(a, b);
      }
  }
}

void Atoms::hint(AtomId a, int priority, const std::string& text) {
  if (!text.empty()) mutableRoot(a).hints.push_back({priority, text});
}

void Atoms::hint(const Axis& axis, int priority, const std::string& text) {
  if (axis.size() == 1) hint(axis[0], priority, text);
}

AtomId Atoms::derived(AtomId from, std::int64_t size) {
  from = root(from);
  auto [found, fresh] = derived_.emplace(std::pair{from, size}, -1);
  if (fresh) {
    found->second = make(size);
    AtomId x = family(from), y = found->second;
    atoms_[static_cast<std::size_t>(std::max(x, y))].family = std::min(x, y);
    setWhole(found->second);
  }
  return found->second;
}

}  // namespace core::naming
