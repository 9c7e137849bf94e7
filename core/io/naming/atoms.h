#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

// The pieces that axes are made of. An axis of a positional tensor is a list of atoms, major to minor; operators tie atoms,
// and reshapes split them. A split is made on the class of an atom, so it is at once seen at every tensor that has it.
//
//   W [192, 64] -MatMul-> y [8,32,192] -Reshape-> [8,32,3,4,16]:   192 = (3, 4, 16), on y and on W

namespace core::naming {

using AtomId = int;
using Axis = std::vector<AtomId>;  // empty: an axis of size 1
using Axes = std::vector<Axis>;

struct Hint {
  int priority = 10;  // 0 = the file says so
  std::string text;
  bool operator==(const Hint&) const = default;
};

struct Atom {
  std::int64_t size = 1;
  AtomId parent = -1;           // of the class; itself for a root
  std::vector<AtomId> parts;    // once split
  std::set<AtomId> enemies;     // roots that it shares a tensor with: never the same dimension
  std::vector<AtomId> twins;    // second copies of it, made by renames
  AtomId family = -1;           // strided or cut from the same one; says nothing of equality
  bool whole = false;           // may not be split
  std::string symbol;           // of the file, where an input declares it
  std::vector<Hint> hints;
};

class Atoms {
 public:
  AtomId make(std::int64_t size);
  AtomId root(AtomId a) const;
  const Atom& at(AtomId a) const { return atoms_[static_cast<std::size_t>(a)]; }
  std::int64_t size(AtomId a) const { return at(a).size; }
  std::size_t count() const { return atoms_.size(); }

  Axis leaves(const Axis& axis) const;  // roots that are not split, major to minor
  Axis leaves(const Axes& axes) const;
  std::int64_t product(const Axis& axis) const;

  bool enemies(AtomId a, AtomId b) const;        // roots
  bool unite(AtomId a, AtomId b);                // false where they stand in one tensor; sizes must be equal
  bool split(AtomId a, const std::vector<std::int64_t>& sizes);  // false for a whole one; major to minor
  void declare(const Axis& leaves);              // they stand in one tensor: pairwise enemies

  // Splits until the leaves of `axis` have boundaries at all products of `sizes` (from the minor end), and `sizes` at theirs.
  // True when that works; nothing is split when it does not.
  bool refine(const Axis& axis, const std::vector<std::int64_t>& sizes);

  // The same for two axes at once: afterwards their leaves have the same sizes. False, and nothing split, where that can't be.
  bool align(const Axis& a, const Axis& b);

  // A second copy of `a`: the first old one that is not among `taken`, else a new one.
  AtomId twin(AtomId a, const std::set<AtomId>& taken);
  void uniteTwins();

  void setWhole(AtomId a) { mutableRoot(a).whole = true; }
  void setSymbol(AtomId a, const std::string& symbol) { mutableRoot(a).symbol = symbol; }
  void hint(AtomId a, int priority, const std::string& text);
  void hint(const Axis& axis, int priority, const std::string& text);  // of the whole axis; an alias where it is split

  // A new whole atom of the same family, the same one for the same class and size.
  AtomId derived(AtomId from, std::int64_t size);
  AtomId family(AtomId a) const;

 private:
  bool allows(const Axis& leaves, const std::set<std::int64_t>& cuts) const;  // no whole atom is cut
  std::set<std::int64_t> cutsOf(const Axis& leaves) const;

  Atom& mutableRoot(AtomId a) { return atoms_[static_cast<std::size_t>(root(a))]; }

  std::vector<Atom> atoms_;
  std::map<std::pair<AtomId, std::int64_t>, AtomId> derived_;
};

}  // namespace core::naming
