#include "core/layout/propagate.h"

#include <algorithm>
#include <map>

#include "core/layout/resolve.h"
#include "core/spmd/reshard.h"

namespace core {
namespace {

constexpr int sweeps = 3;

struct Claim {
  int loop;
  AxisList axes;
  Origin origin;
};

class Propagation {
 public:
  Propagation(const Graph& graph, const Templates& templates, const Layout& layout, const Mesh& mesh)
      : graph_(graph), templates_(templates), resolved_(resolve(layout, graph, mesh)), mesh_(mesh) {}

  Decisions run() {
    startTensors();
    startOperators();
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      changed_ = false;
      for (std::size_t i = 0; i < graph_.operators.size(); ++i) follow(OperatorId(static_cast<std::int64_t>(i)));
      for (std::size_t i = graph_.operators.size(); i-- > 0;) follow(OperatorId(static_cast<std::int64_t>(i)));
      if (!changed_) break;
    }
    explain();
    return std::move(decisions_);
  }

 private:
  TensorLayout& layoutOf(TensorId tensor) { return decisions_.tensors[tensor.index()]; }

  void startTensors() {
    decisions_.tensors.resize(graph_.tensors.size());
    open_.resize(graph_.tensors.size());
    source_.resize(graph_.tensors.size());
    for (std::size_t t = 0; t < graph_.tensors.size(); ++t) {
      const TensorId id(static_cast<std::int64_t>(t));
      const Shape& shape = graph_[id].shape;
      TensorLayout& layout = layoutOf(id);
      layout.sharding = Sharding::replicated(shape.size());
      layout.origins.assign(shape.size(), Origin::replicated);
      open_[t].assign(shape.size(), false);
      const bool pinned = resolved_.pins.count(id) != 0;
      for (std::size_t d = 0; d < shape.size(); ++d) {
        layout.sharding.dims[d] = resolved_.wanted(id, d, shape[d]);
        if (pinned) layout.origins[d] = Origin::pin;
        else if (resolved_.ruled[shape[d].index()]) layout.origins[d] = Origin::rule;
        else open_[t][d] = true;
      }
    }
  }

  void startOperators() {
    decisions_.operators.resize(graph_.operators.size());
    for (std::size_t i = 0; i < graph_.operators.size(); ++i) {
      const OperatorId id(static_cast<std::int64_t>(i));
      const std::vector<Claim> claims = claimsOf(id);
      OperatorLayout& op = decisions_.operators[i];
      op.axes.resize(templates_.expression(id).loops.size());
      op.origins.assign(op.axes.size(), Origin::replicated);
      settle(id, claims, op);
    }
  }

  // What pins, rules and choices say of an operator's loops, strongest first.
  std::vector<Claim> claimsOf(OperatorId id) const {
    const Templates::Entry& entry = templates_[templates_.of(id)];
    std::vector<Claim> claims;
    for (std::size_t l = 0; l < entry.splittable.size(); ++l) {
      if (!entry.splittable[l]) continue;
      const int loop = static_cast<int>(l);
      const DimId dim = entry.expression.loops[l].dim;
      if (const AxisList pin = pinOf(id, loop); !pin.empty()) claims.push_back({loop, pin, Origin::pin});
      else if (dim.valid() && resolved_.ruled[dim.index()]) claims.push_back({loop, resolved_.rules[dim.index()], Origin::rule});
      else if (const auto choice = resolved_.choices.find({graph_[id].name, entry.expression.loops[l].name}); choice != resolved_.choices.end())
        claims.push_back({loop, choice->second, Origin::choice});
    }
    std::stable_sort(claims.begin(), claims.end(), [](const Claim& a, const Claim& b) { return a.origin > b.origin; });
    return claims;
  }

  // The axes that a pinned operand or result asks of a loop.
  AxisList pinOf(OperatorId id, int loop) const {
    if (resolved_.pins.empty()) return {};
    const Operator& op = graph_[id];
    const Expression& expression = templates_.expression(id);
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
      const auto pin = resolved_.pins.find(op.inputs[i]);
      if (pin == resolved_.pins.end()) continue;
      for (std::size_t d = 0; d < pin->second.first.size(); ++d) {
        const AxisList& axes = pin->second.first[d];
        if (!axes.empty() && alignedLoop(expression, static_cast<int>(i), d, graph_.size(graph_[op.inputs[i]].shape[d]), axes, mesh_) == loop) return axes;
      }
    }
    for (std::size_t o = 0; o < op.outputs.size(); ++o) {
      const auto pin = resolved_.pins.find(op.outputs[o]);
      if (pin == resolved_.pins.end()) continue;
      for (std::size_t d = 0; d < pin->second.first.size(); ++d)
        if (expression.outputs[o].loops[d] == loop && !pin->second.first[d].empty()) return pin->second.first[d];
    }
    return {};
  }

  // Gives each loop what it claims; where several claim one axis, tries each of them as the winner and keeps the cheapest.
  void settle(OperatorId id, const std::vector<Claim>& claims, OperatorLayout& op) {
    std::vector<std::vector<std::size_t>> claimants(mesh_.axes.size());
    for (std::size_t c = 0; c < claims.size(); ++c)
      for (AxisId axis : claims[c].axes) claimants[axis].push_back(c);
    std::vector<std::size_t> winner(mesh_.axes.size(), 0), best;
    bool contested = false;
    for (const auto& one : claimants) contested |= one.size() > 1;
    std::int64_t bestBytes = 0;
    while (true) {
      const LoopAxes axes = axesWith(claims, claimants, winner, op.axes.size());
      const std::int64_t bytes = contested ? bytesMoved(id, axes) : 0;
      if (best.empty() || bytes < bestBytes) {
        bestBytes = bytes;
        best = winner;
        op.axes = axes;
      }
      if (!contested || !advance(winner, claimants)) break;
    }
    for (const Claim& claim : claims)
      if (!op.axes[static_cast<std::size_t>(claim.loop)].empty() || claim.axes.empty()) op.origins[static_cast<std::size_t>(claim.loop)] = claim.origin;
  }

  static bool advance(std::vector<std::size_t>& winner, const std::vector<std::vector<std::size_t>>& claimants) {
    for (std::size_t axis = 0; axis < winner.size(); ++axis) {
      if (winner[axis] + 1 < claimants[axis].size()) {
        ++winner[axis];
        return true;
      }
      winner[axis] = 0;
    }
    return false;
  }

  static LoopAxes axesWith(const std::vector<Claim>& claims, const std::vector<std::vector<std::size_t>>& claimants,
                           const std::vector<std::size_t>& winner, std::size_t loops) {
    LoopAxes result(loops);
    for (std::size_t c = 0; c < claims.size(); ++c)
      for (AxisId axis : claims[c].axes)
        if (claimants[axis][winner[axis]] == c) result[static_cast<std::size_t>(claims[c].loop)].push_back(axis);
    return result;
  }

  // What its operands and results would cost to bring where they are wanted.
  std::int64_t bytesMoved(OperatorId id, const LoopAxes& axes) {
    const Operator& op = graph_[id];
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < op.inputs.size(); ++i)
      bytes += bytesBetween(layoutOf(op.inputs[i]).sharding, templates_.required(id, static_cast<int>(i), axes), op.inputs[i]);
    for (std::size_t o = 0; o < op.outputs.size(); ++o)
      bytes += bytesBetween(producedOutput(templates_.expression(id), static_cast<int>(o), axes), {layoutOf(op.outputs[o]).sharding, {}}, op.outputs[o]);
    return bytes;
  }

  std::int64_t bytesBetween(const Sharding& from, const Placement& to, TensorId tensor) const {
    const Placement have{from, {}};
    if (covers(have, to)) return 0;
    return reshard(have, to, graph_.sizes(tensor), byteSize(graph_[tensor].dtype), mesh_).bytes;
  }

  // Loops that nothing decides take the axes of a neighbour, and hand them on.
  void follow(OperatorId id) {
    const Operator& op = graph_[id];
    const Templates::Entry& entry = templates_[templates_.of(id)];
    OperatorLayout& layout = decisions_.operators[id.index()];
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
      const Shape& shape = graph_[op.inputs[i]].shape;
      for (std::size_t d = 0; d < shape.size(); ++d) meet(entry, layout, op, op.inputs[i], d, static_cast<int>(i), -1);
    }
    for (std::size_t o = 0; o < op.outputs.size(); ++o)
      for (std::size_t d = 0; d < graph_[op.outputs[o]].shape.size(); ++d) meet(entry, layout, op, op.outputs[o], d, -1, static_cast<int>(o));
  }

  // One dimension of one operand or result beside the loop that runs over it.
  void meet(const Templates::Entry& entry, OperatorLayout& layout, const Operator& op, TensorId tensor, std::size_t d, int operand, int output) {
    AxisList& axes = layoutOf(tensor).sharding.dims[d];
    const std::int64_t size = graph_.size(graph_[tensor].shape[d]);
    if (!axes.empty()) {
      const int loop = output >= 0 ? entry.expression.outputs[static_cast<std::size_t>(output)].loops[d]
                                   : loopAlong(entry.expression, operand, d, size, axes);
      if (loop >= 0) offerToLoop(entry, layout, static_cast<std::size_t>(loop), axes, op, tensor);
      return;
    }
    if (!open_[tensor.index()][d]) return;
    for (std::size_t l = 0; l < layout.axes.size(); ++l) {
      if (layout.axes[l].empty()) continue;
      const int loop = output >= 0 ? entry.expression.outputs[static_cast<std::size_t>(output)].loops[d]
                                   : loopAlong(entry.expression, operand, d, size, layout.axes[l]);
      if (loop == static_cast<int>(l)) return offerToTensor(tensor, d, layout.axes[l], op);
    }
  }

  // The loop that goes through the axis block by block, or nearly so; -1 for none.
  int loopAlong(const Expression& expression, int operand, std::size_t d, std::int64_t size, const AxisList& axes) const {
    if (const auto loop = alignedLoop(expression, operand, d, size, axes, mesh_)) return *loop;
    return nearbyLoop(expression, operand, d, size, axes, mesh_).value_or(-1);
  }

  void offerToLoop(const Templates::Entry& entry, OperatorLayout& layout, std::size_t loop, const AxisList& axes, const Operator& op, TensorId from) {
    if (!layout.axes[loop].empty() || !entry.splittable[loop] || layout.origins[loop] != Origin::replicated) return;
    const DimId dim = entry.expression.loops[loop].dim;
    if (dim.valid() && resolved_.ruled[dim.index()]) return;
    for (const AxisList& other : layout.axes)
      for (AxisId axis : axes)
        if (other.contains(axis)) return;
    layout.axes[loop] = axes;
    layout.origins[loop] = Origin::propagated;
    layout.reason = entry.expression.loops[loop].name + " follows " + graph_[from].name;
    (void)op;
    changed_ = true;
  }

  void offerToTensor(TensorId tensor, std::size_t d, const AxisList& axes, const Operator& op) {
    TensorLayout& layout = layoutOf(tensor);
    for (const AxisList& other : layout.sharding.dims)
      for (AxisId axis : axes)
        if (other.contains(axis)) return;
    layout.sharding.dims[d] = axes;
    layout.origins[d] = Origin::propagated;
    source_[tensor.index()] = op.name;
    changed_ = true;
  }

  void explain() {
    for (std::size_t t = 0; t < decisions_.tensors.size(); ++t) {
      TensorLayout& layout = decisions_.tensors[t];
      const Shape& shape = graph_.tensors[t].shape;
      for (std::size_t d = 0; d < shape.size(); ++d) add(layout.reason, sentence(layout, t, d, graph_[shape[d]].name));
      if (layout.reason.empty()) layout.reason = "replicated: no rule or pin names a dimension of it, and no neighbour is split";
    }
    for (std::size_t i = 0; i < decisions_.operators.size(); ++i) {
      OperatorLayout& op = decisions_.operators[i];
      const Expression& expression = templates_.expression(OperatorId(static_cast<std::int64_t>(i)));
      std::string text;
      for (std::size_t l = 0; l < op.axes.size(); ++l)
        if (!op.axes[l].empty() && op.origins[l] != Origin::propagated)
          add(text, std::string(toString(op.origins[l])) + " " + expression.loops[l].name + ":" + axesText(op.axes[l]));
      if (!op.reason.empty()) add(text, op.reason);
      op.reason = text;
    }
  }

  std::string sentence(const TensorLayout& layout, std::size_t tensor, std::size_t d, const std::string& dim) const {
    switch (layout.origins[d]) {
      case Origin::pin: return layout.sharding.dims[d].empty() ? "" : "pin " + resolved_.pins.at(TensorId(static_cast<std::int64_t>(tensor))).second + " " + dim + ":" + axesText(layout.sharding.dims[d]);
      case Origin::rule: return layout.sharding.dims[d].empty() ? "" : "rule " + dim + ":" + axesText(layout.sharding.dims[d]);
      case Origin::propagated: return dim + " follows " + source_[tensor];
      default: return "";
    }
  }

  static void add(std::string& text, const std::string& more) {
    if (!more.empty()) text += (text.empty() ? "" : "; ") + more;
  }

  std::string axesText(const AxisList& axes) const {
    std::string text;
    for (AxisId axis : axes) text += (text.empty() ? "" : ",") + mesh_.axes[axis].name;
    return text;
  }

  const Graph& graph_;
  const Templates& templates_;
  const ResolvedLayout resolved_;
  const Mesh& mesh_;
  Decisions decisions_;
  std::vector<std::vector<bool>> open_;   // per tensor and dimension: neither pinned nor ruled
  std::vector<std::string> source_;       // per tensor: the operator through which its split came
  bool changed_ = false;
};

}  // namespace

std::string_view toString(Origin origin) {
  switch (origin) {
    case Origin::replicated: return "replicated";
    case Origin::propagated: return "propagated";
    case Origin::choice: return "choice";
    case Origin::rule: return "rule";
    case Origin::pin: return "pin";
  }
  return "";
}

Decisions propagate(const Graph& graph, const Templates& templates, const Layout& layout, const Mesh& mesh) {
  return Propagation(graph, templates, layout, mesh).run();
}

}  // namespace core
