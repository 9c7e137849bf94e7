#include "core/spmd/reshard.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <queue>
#include <tuple>

namespace core {
namespace {

bool isPrefix(const AxisList& shorter, const AxisList& longer) {
  return shorter.size() <= longer.size() && std::equal(shorter.begin(), shorter.end(), longer.begin());
}

AxisList without(AxisList axes) {
  axes.pop_back();
  return axes;
}

AxisList with(AxisList axes, AxisId axis) {
  axes.push_back(axis);
  return axes;
}

AxisList listOf(AxisSet set, const Mesh& mesh) {
  AxisList axes;
  for (AxisId axis = 0; axis < mesh.axes.size(); ++axis)
    if (set.contains(axis)) axes.push_back(axis);
  return axes;
}

std::int64_t ceilDivide(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

class Search {
 public:
  Search(const Sharding& from, const Sharding& to, std::span<const std::int64_t> sizes, std::int64_t elementBytes, const Mesh& mesh)
      : to_(to), sizes_(sizes), elementBytes_(elementBytes), mesh_(mesh) {
    push(from, {}, {}, from);
  }

  ReshardPlan run() {
    while (!queue_.empty()) {
      const Candidate best = queue_.top();
      queue_.pop();
      State& state = states_[best.sharding];
      if (state.done) continue;
      state.done = true;
      if (best.sharding == to_) return trace(best.sharding);
      expand(best.sharding, state.cost);
    }
    assert(false && "a redistribute always reaches the goal");
    return {};
  }

 private:
  struct Price {
    std::int64_t bytes = 0;
    int steps = 0;
    auto operator<=>(const Price&) const = default;
  };
  struct State {
    Price cost;
    bool done = false;
    Sharding previous;
    ReshardStep step;
  };
  struct Candidate {
    Price cost;
    Sharding sharding;
    bool operator<(const Candidate& other) const { return std::tie(other.cost, other.sharding) < std::tie(cost, sharding); }
  };

  std::int64_t bytesOf(const Sharding& sharding) const {
    std::int64_t bytes = elementBytes_;
    for (std::size_t d = 0; d < sizes_.size(); ++d) bytes *= paddedBlock(sizes_[d], sharding.dims[d], mesh_);
    return bytes;
  }

  void push(const Sharding& next, Price cost, ReshardStep step, const Sharding& previous) {
    const auto known = states_.find(next);
    if (known != states_.end() && known->second.cost <= cost) return;
    step.result = {next, {}};
    states_[next] = {cost, false, previous, std::move(step)};
    queue_.push({cost, next});
  }

  void move(const Sharding& from, Price cost, const Sharding& next, std::int64_t bytes, int steps, Collective collective) {
    push(next, {cost.bytes + bytes, cost.steps + steps}, {InstructionKind::start, collective, {}}, from);
  }

  void place(const Sharding& from, Price cost, const Sharding& next) {
    push(next, {cost.bytes, cost.steps + 1}, {InstructionKind::place, {}, {}}, from);
  }

  void expand(const Sharding& at, Price cost) {
    for (std::size_t d = 0; d < at.dims.size(); ++d) {
      leaveDimension(at, cost, d);
      enterDimension(at, cost, d);
    }
    resolvePartials(at, cost);
    becomePartial(at, cost);
    if (at.partial.empty()) redistribute(at, cost);
  }

  // The innermost axis of a dimension goes: gathered, moved to another dimension, or exchanged for another axis.
  void leaveDimension(const Sharding& at, Price cost, std::size_t d) {
    if (at.dims[d].empty() || isPrefix(at.dims[d], to_.dims[d])) return;
    const AxisId axis = at.dims[d].back();
    const std::int64_t n = mesh_.size(axis);
    Sharding gathered = at;
    gathered.dims[d] = without(at.dims[d]);
    move(at, cost, gathered, (n - 1) * bytesOf(at), 1,
         {.kind = CollectiveKind::allGather, .axes = {axis}, .concatDim = static_cast<int>(d)});
    for (std::size_t e = 0; e < at.dims.size(); ++e) {
      if (e == d || !isPrefix(with(at.dims[e], axis), to_.dims[e])) continue;
      Sharding moved = gathered;
      moved.dims[e] = with(at.dims[e], axis);
      const std::int64_t chunk = bytesOf(moved) / std::max<std::int64_t>(1, paddedBlock(sizes_[d], gathered.dims[d], mesh_)) * paddedBlock(sizes_[d], at.dims[d], mesh_);
      move(at, cost, moved, (n - 1) * chunk, 1,
           {.kind = CollectiveKind::allToAll, .axes = {axis}, .splitDim = static_cast<int>(e), .concatDim = static_cast<int>(d)});
    }
    const std::size_t depth = gathered.dims[d].size();
    if (!isPrefix(gathered.dims[d], to_.dims[d]) || to_.dims[d].size() <= depth) return;
    const AxisId other = to_.dims[d][depth];
    if (mesh_.size(other) != n || at.used().contains(other) || at.partial.contains(other)) return;
    Sharding permuted = gathered;
    permuted.dims[d].push_back(other);
    move(at, cost, permuted, bytesOf(at), 1, {.kind = CollectiveKind::collectivePermute, .axes = {axis, other}});
  }

  // The next axis that the goal wants on this dimension: a slice, or a reduce-scatter where it is partial.
  void enterDimension(const Sharding& at, Price cost, std::size_t d) {
    if (!isPrefix(at.dims[d], to_.dims[d]) || at.dims[d].size() == to_.dims[d].size()) return;
    const AxisId axis = to_.dims[d][at.dims[d].size()];
    if (at.used().contains(axis)) return;
    Sharding next = at;
    next.dims[d].push_back(axis);
    if (!at.partial.contains(axis)) return place(at, cost, next);
    next.partial.erase(axis);
    if (next.partial.empty()) next.reduction = Reduction::sum;
    move(at, cost, next, (mesh_.size(axis) - 1) * bytesOf(next), 1,
         {.kind = CollectiveKind::reduceScatter, .axes = {axis}, .reduction = at.reduction, .splitDim = static_cast<int>(d)});
  }

  void resolvePartials(const Sharding& at, Price cost) {
    const AxisSet rest{at.partial.bits & ~to_.partial.bits};
    if (rest.empty()) return;
    Sharding next = at;
    next.partial.bits &= ~rest.bits;
    if (next.partial.empty()) next.reduction = Reduction::sum;
    const std::int64_t n = mesh_.size(rest);
    const std::int64_t elements = bytesOf(at) / elementBytes_;
    move(at, cost, next, 2 * (n - 1) * ceilDivide(elements, n) * elementBytes_, 1,
         {.kind = CollectiveKind::allReduce, .axes = listOf(rest, mesh_), .reduction = at.reduction});
  }

  // Kept on coordinate 0, the identity elsewhere; of a split dimension the own slice amid the identity.
  void becomePartial(const Sharding& at, Price cost) {
    const AxisSet wanted{to_.partial.bits & ~at.partial.bits};
    if (wanted.empty() || (!at.partial.empty() && at.reduction != to_.reduction)) return;
    Sharding next = at;
    for (AxisList& axes : next.dims)
      while (!axes.empty() && wanted.contains(axes.back())) axes.pop_back();
    next.partial.bits |= wanted.bits & ~next.used().bits;
    next.reduction = to_.reduction;
    if (!(next == at)) place(at, cost, next);
  }

  void redistribute(const Sharding& at, Price cost) {
    Sharding next = to_;
    next.partial = {};
    next.reduction = Reduction::sum;
    if (next.used().bits & to_.partial.bits) return;
    if (next == at) return;
    constexpr int lastResort = 8;  // equal bytes: a regular collective is better
    move(at, cost, next, missingBytes(at, next), lastResort, {.kind = CollectiveKind::redistribute, .axes = listOf(everything(), mesh_)});
  }

  AxisSet everything() const {
    AxisSet all;
    for (AxisId axis = 0; axis < mesh_.axes.size(); ++axis) all.insert(axis);
    return all;
  }

  // What the device that lacks most has to receive; beyond a few thousand devices judged on the first ones.
  std::int64_t missingBytes(const Sharding& have, const Sharding& need) const {
    std::int64_t most = 0;
    const std::int64_t devices = std::min<std::int64_t>(mesh_.devices(), 1024);
    for (std::int64_t rank = 0; rank < devices; ++rank) {
      const Coordinate at = mesh_.coordinate(rank);
      std::int64_t needed = 1, held = 1;
      for (std::size_t d = 0; d < sizes_.size(); ++d) {
        const Range a = blockOf(sizes_[d], have.dims[d], mesh_, at), b = blockOf(sizes_[d], need.dims[d], mesh_, at);
        needed *= b.size;
        held *= std::max<std::int64_t>(0, std::min(a.end(), b.end()) - std::max(a.start, b.start));
      }
      most = std::max(most, needed - held);
    }
    return most * elementBytes_;
  }

  ReshardPlan trace(Sharding at) {
    ReshardPlan plan{{}, states_[at].cost.bytes};
    while (states_[at].cost.steps > 0) {
      State& state = states_[at];
      plan.steps.push_back(state.step);
      at = state.previous;
    }
    std::reverse(plan.steps.begin(), plan.steps.end());
    return plan;
  }

  const Sharding& to_;
  std::span<const std::int64_t> sizes_;
  std::int64_t elementBytes_;
  const Mesh& mesh_;
  std::map<Sharding, State> states_;
  std::priority_queue<Candidate> queue_;
};

}  // namespace

bool covers(const Placement& have, const Placement& need) {
  if (have.sharding.partial != need.sharding.partial) return false;
  if (!have.sharding.partial.empty() && have.sharding.reduction != need.sharding.reduction) return false;
  for (std::size_t d = 0; d < have.sharding.dims.size(); ++d) {
    const AxisList& held = have.sharding.dims[d];
    const Window heldWindow = have.windows.empty() ? Window{} : have.windows[d];
    const Window neededWindow = need.windows.empty() ? Window{} : need.windows[d];
    if (held.empty()) continue;
    if (held == need.sharding.dims[d] && heldWindow == neededWindow) continue;
    if (!heldWindow.plain() || !neededWindow.plain() || !isPrefix(held, need.sharding.dims[d])) return false;
  }
  return true;
}

ReshardPlan reshard(const Placement& have, const Placement& need, std::span<const std::int64_t> sizes, std::int64_t elementBytes, const Mesh& mesh) {
  assert(have.plain() && "only whole blocks are resharded");
  if (covers(have, need) && need.sharding == have.sharding) return {};
  if (need.plain()) return Search(have.sharding, need.sharding, sizes, elementBytes, mesh).run();
  // A halo: partial results are made whole first, then each device fetches what its window lacks.
  ReshardPlan plan;
  Placement at = have;
  if (!have.sharding.partial.empty()) {
    plan = Search(have.sharding, need.sharding, sizes, elementBytes, mesh).run();
    if (!plan.steps.empty()) at = plan.steps.back().result;
  }
  AxisSet all;
  for (AxisId axis = 0; axis < mesh.axes.size(); ++axis) all.insert(axis);
  std::int64_t bytes = elementBytes;
  for (std::size_t d = 0; d < sizes.size(); ++d) bytes *= paddedSize(need, d, sizes[d], mesh);
  plan.steps.push_back({InstructionKind::start, {.kind = CollectiveKind::redistribute, .axes = listOf(all, mesh)}, need});
  plan.bytes += bytes;
  return plan;
}

}  // namespace core
