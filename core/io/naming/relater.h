#pragma once

#include <map>
#include <set>

#include "core/io/naming/relate.h"

// The state of the pass, and what the rules of operators are made of.

namespace core::naming {

// The sizes of two axes that an operator ties differ.
struct Contradiction {
  Axis a;
  Axis b;
  std::string why;  // where sizes are not what is wrong
};

inline constexpr const char* openSymbol = "it needs the size of a symbol that is open: --dim binds it";

using Side = std::vector<Operand*>;  // operands that already agree

using positional::DataPtr;

class Relater {
 public:
  Relater(const positional::Model& model, const Walk& walk) : model(model), walk(walk) {}

  const positional::Model& model;
  const Walk& walk;
  Names names;
  Atoms& atoms = names.atoms;

  const Known& known(int value) const { return walk.values.at(static_cast<std::size_t>(value)); }  // std::out_of_range for what is left out
  bool isFixed(int value) const { return known(value).data && !walk.dataVaries[static_cast<std::size_t>(value)]; }
  DataPtr dataOf(const positional::Node& node, std::size_t input) const;
  std::vector<DataPtr> dataOf(const positional::Node& node) const;
  bool varies(int value, std::size_t axis) const;     // a symbol that nobody bound decides its size
  const positional::Sizes& sizesOf(int value) const;  // Error when they are not known

  Axes freshAxes(const positional::Sizes& sizes);   // new atoms, none for a size of 1
  Axes freshFor(int value);
  Operand operand(int value);                        // as it stands, or a view of its own for a vector that the file stores
  void setAxes(int value, Axes axes);

  // Ties axis `xa` of `xo` (one of side x) and `ya` of `yo`. Where they can't be one dimension, a rename goes on the later side
  // (x when `renameX`), else on the other, else a third name on both. Throws Contradiction when sizes differ.
  void unify(const Side& x, Operand& xo, std::size_t xa, const Side& y, Operand& yo, std::size_t ya, bool renameX = false);
  void unify(Operand& x, std::size_t xa, Operand& y, std::size_t ya);
  // The axis falls into `count` major parts and what is in each. Throws Contradiction where it is cut otherwise.
  void splitMajor(const Axis& axis, std::int64_t count);
  std::pair<Axis, Axis> partsOf(const Axis& axis, std::int64_t count) const;  // after splitMajor
  void unifyParts(Operand& x, const Axis& a, Operand& y, const Axis& b);      // parts of axes; a rename goes on x where it can
  void replace(Operand& operand, AtomId from, AtomId to);  // with its edit
  void makeWhole(Operand& operand, std::size_t axis);      // several leaves are merged on this edge
  void rename(const Side& side, AtomId from, const Side& all);  // to a twin that `all` lack

  // Elementwise: right-aligned, size 1 brings nothing; the axes of the result.
  Axes join(std::vector<Operand*> operands);
  // Einsum: `labels` per operand and axis.
  Axes contract(Relation& relation, std::vector<std::vector<int>> labels, std::vector<int> out);

  Axis& indexed(int value) { return names.indexed[static_cast<std::size_t>(value)]; }
  void tieIndex(int ids, const Axis& rows);  // the integers of `ids` count `rows`
  bool isView(int value) const { return parameterView_.count(value) > 0; }
  void carry(int from, int to);              // index class, and being a view of a parameter or constant

  struct Tile {
    std::int64_t parts = 1;
    std::int64_t index = 0;
  };
  std::map<int, Tile> tiles;  // Slice nodes that together cut an axis evenly

 private:
  void tie(const Side& x, const Side& y, AtomId a, AtomId b, bool renameX);
  std::set<AtomId> leavesOf(const Side& side) const;

  std::map<Axis, AtomId> merged_;
  std::set<int> parameterView_;
  std::set<int> fixedView_;
};

using Rule = void (*)(Relater& relater, const positional::Node& node, Relation& relation);
const std::map<std::string, Rule>& rules();
const std::map<std::string, Rule>& elementRules();
const std::map<std::string, Rule>& productRules();
const std::map<std::string, Rule>& shapeRules();
const std::map<std::string, Rule>& indexRules();
const std::map<std::string, Rule>& networkRules();
const std::map<std::string, Rule>& arrangeRules();
const std::map<std::string, Rule>& recurrentRules();

std::size_t axisOf(std::int64_t axis, std::size_t rank);  // negative from the end; throws Contradiction outside
void declareTiles(Relater& relater);

}  // namespace core::naming
