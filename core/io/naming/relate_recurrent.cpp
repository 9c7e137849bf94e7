#include "core/io/naming/relater.h"

// LSTM, GRU and RNN: X [seq, batch, input], W [directions, gates * hidden, input], R [directions, gates * hidden, hidden],
// B [directions, 2 * gates * hidden], sequence lengths [batch], states [directions, batch, hidden], P [directions, 3 * hidden].

namespace core::naming {

using positional::Node;

namespace {

// The axis as (major parts, the dimension of y's axis).
void tieMinor(Relater& relater, Operand& x, std::size_t xa, std::int64_t parts, Operand& y, const Axis& whole) {
  relater.splitMajor(x.axes.at(xa), parts);
  relater.unifyParts(x, relater.partsOf(x.axes[xa], parts).second, y, whole);
}

std::int64_t gatesOf(const Node& node) { return node.type == "LSTM" ? 4 : node.type == "GRU" ? 3 : 1; }

void recurrent(Relater& relater, const Node& node, Relation& relation) {
  auto& operands = relation.operands;
  const std::int64_t gates = gatesOf(node);
  const bool batchFirst = node.integer("layout", 0) != 0;
  Operand &x = operands.at(0), &w = operands.at(1), &r = operands.at(2);
  if (x.axes.size() != 3 || w.axes.size() != 3 || r.axes.size() != 3) throw Contradiction{};
  const std::size_t seq = batchFirst ? 1 : 0, batch = batchFirst ? 0 : 1;
  for (std::size_t i = 0; i < 3; ++i) relater.makeWhole(x, i);
  relater.unify({&x}, x, 2, {&w}, w, 2, true);
  relater.makeWhole(r, 2);
  relater.splitMajor(w.axes[1], gates);
  relater.unify({&w}, w, 0, {&r}, r, 0, true);
  relater.splitMajor(r.axes[1], gates);
  relater.unify({&w}, w, 1, {&r}, r, 1, true);
  // What a step makes and what the next one reads have two names: the product has both.
  const Axis hidden = relater.partsOf(w.axes[1], gates).second;
  const auto present = [&](std::size_t i) { return i < operands.size() && operands[i].value >= 0; };
  if (present(3)) {
    relater.unify({&w}, w, 0, {&operands[3]}, operands[3], 0, true);
    tieMinor(relater, operands[3], 1, 2 * gates, w, hidden);
  }
  if (present(4)) relater.unify(x, batch, operands[4], 0);
  for (std::size_t i : {5, 6}) {
    if (!present(i)) continue;
    Operand& state = operands[i];
    if (state.axes.size() != 3) throw Contradiction{};
    relater.unify({&w}, w, 0, {&state}, state, batchFirst ? 1 : 0, true);
    relater.unify(x, batch, state, batchFirst ? 0 : 1);
    relater.unifyParts(state, state.axes[2], w, hidden);
  }
  if (present(7)) {
    relater.unify({&w}, w, 0, {&operands[7]}, operands[7], 0, true);
    tieMinor(relater, operands[7], 1, 3, w, hidden);
  }
  const Axis directions = relater.atoms.leaves(w.axes[0]), made = relater.atoms.leaves(relater.partsOf(w.axes[1], gates).second);
  relater.atoms.hint(made, 3, "hidden");
  relater.atoms.hint(r.axes[2], 5, "hidden");
  relater.atoms.hint(relater.partsOf(w.axes[1], gates).first, 4, "gates");
  if (batchFirst) relation.outputs.at(0) = {x.axes[batch], x.axes[seq], directions, made};
  else relation.outputs.at(0) = {x.axes[seq], directions, x.axes[batch], made};
  for (std::size_t k = 1; k < relation.outputs.size(); ++k)
    relation.outputs[k] = batchFirst ? Axes{x.axes[batch], directions, made} : Axes{directions, x.axes[batch], made};
  for (const Axes& output : relation.outputs) relater.atoms.declare(relater.atoms.leaves(output));
}

}  // namespace

const std::map<std::string, Rule>& recurrentRules() {
  static const std::map<std::string, Rule> table{{"LSTM", recurrent}, {"GRU", recurrent}, {"RNN", recurrent}};
  return table;
}

}  // namespace core::naming
