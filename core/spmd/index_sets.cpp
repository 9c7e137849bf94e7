#include "core/spmd/index_sets.h"

#include <algorithm>
#include <cassert>

#include "core/base/checked.h"
#include "core/spmd/redistribute.h"

namespace core {
namespace {

Range intersect(Range a, Range b) {
  const std::int64_t start = std::max(a.start, b.start);
  return {start, std::max<std::int64_t>(0, std::min(a.end(), b.end()) - start)};
}

std::int64_t count(const std::vector<Range>& runs) {
  std::int64_t elements = 0;
  for (const Range& run : runs) elements += run.size;
  return elements;
}

std::int64_t common(const std::vector<Range>& a, const std::vector<Range>& b) {
  std::int64_t elements = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    elements += intersect(a[i], b[j]).size;
    if (a[i].end() < b[j].end()) ++i; else ++j;
  }
  return elements;
}

std::vector<AxisId> axesOf(const Placement& placement, std::size_t first, std::size_t end) {
  std::vector<AxisId> axes;
  for (std::size_t d = first; d < end; ++d)
    for (AxisId axis : placement.sharding.dims[d]) axes.push_back(axis);
  return axes;
}

std::size_t indexOf(const std::vector<AxisId>& axes, const Mesh& mesh, const Coordinate& at) {
  std::int64_t index = 0;
  for (AxisId axis : axes) index = index * mesh.size(axis) + at[axis];
  return static_cast<std::size_t>(index);
}

// Calls visit for every coordinate that differs from `at` in these axes only.
template <class Visit>
void forAll(const std::vector<AxisId>& axes, const Mesh& mesh, Coordinate at, Visit&& visit) {
  for (AxisId axis : axes) at[axis] = 0;
  for (;;) {
    visit(at);
    std::size_t i = axes.size();
    while (i > 0 && ++at[axes[i - 1]] == mesh.size(axes[i - 1])) at[axes[--i]] = 0;
    if (i == 0) return;
  }
}

std::vector<AxisId> listOf(AxisSet set, const Mesh& mesh) {
  std::vector<AxisId> axes;
  for (AxisId axis = 0; axis < mesh.axes.size(); ++axis)
    if (set.contains(axis)) axes.push_back(axis);
  return axes;
}

}  // namespace

Moves::Moves(const Placement& from, std::span<const std::int64_t> fromSizes, const Placement& to, std::span<const std::int64_t> toSizes,
             const Mesh& mesh)
    : from_(from), to_(to), fromSizes_(fromSizes.begin(), fromSizes.end()), toSizes_(toSizes.begin(), toSizes.end()), mesh_(mesh),
      used_(from.sharding.used()), newPartial_{to.sharding.partial.bits & ~from.sharding.partial.bits}, windows_(!from.plain()) {
  assert((!windows_ || fromSizes_ == toSizes_) && "a reshape starts from plain shards");
  if (!windows_) makeGroups();
}

void Moves::makeGroups() {
  std::size_t f = 0, t = 0;
  while (f < fromSizes_.size() || t < toSizes_.size()) {
    Group group{.firstFrom = f, .firstTo = t};
    std::int64_t in = f < fromSizes_.size() ? fromSizes_[f++] : 1;
    std::int64_t out = t < toSizes_.size() ? toSizes_[t++] : 1;
    while (in != out) {
      if (in < out) in = checkedProduct(in, fromSizes_[f++]);
      else out = checkedProduct(out, toSizes_[t++]);
    }
    group.endFrom = f;
    group.endTo = t;
    group.fromAxes = axesOf(from_, group.firstFrom, f);
    group.toAxes = axesOf(to_, group.firstTo, t);
    group.axes = group.fromAxes;
    for (AxisId axis : group.toAxes)
      if (std::find(group.axes.begin(), group.axes.end(), axis) == group.axes.end()) group.axes.push_back(axis);
    group.held = runs(from_, fromSizes_, group.firstFrom, f, group.fromAxes);
    group.needed = runs(to_, toSizes_, group.firstTo, t, group.toAxes);
    groups_.push_back(std::move(group));
  }
}

std::vector<std::vector<Range>> Moves::runs(const Placement& placement, const std::vector<std::int64_t>& sizes, std::size_t first, std::size_t end,
                                            const std::vector<AxisId>& axes) const {
  std::vector<std::vector<Range>> all;
  const std::span<const std::int64_t> inner(sizes.data() + first, end - first);
  forAll(axes, mesh_, Coordinate(mesh_.axes.size(), 0), [&](const Coordinate& at) {
    std::vector<Range> box;
    for (std::size_t d = first; d < end; ++d) box.push_back(rangeOf(placement, d, sizes[d], mesh_, at));
    all.push_back(linearRuns(box, inner));
  });
  return all;
}

// Of these runs, what devices need that differ from `device` only along axes that split the input: those it may serve.
std::int64_t Moves::serves(const Group& group, const std::vector<Range>& held, const Coordinate& device) const {
  std::vector<AxisId> free;
  for (AxisId axis : group.toAxes)
    if (used_.contains(axis)) free.push_back(axis);
  std::int64_t elements = 0;
  forAll(free, mesh_, device, [&](const Coordinate& receiver) {
    elements = checkedSum(elements, common(held, group.needed[indexOf(group.toAxes, mesh_, receiver)]));
  });
  return elements;
}

Moves::Factor Moves::factor(const Group& group, const Coordinate& device) const {
  const std::vector<Range>& held = group.held[indexOf(group.fromAxes, mesh_, device)];
  const std::vector<Range>& needed = group.needed[indexOf(group.toAxes, mesh_, device)];
  return {count(needed), common(held, needed), serves(group, held, device)};
}

bool Moves::getsIdentity(const Coordinate& device) const {
  for (AxisId axis = 0; axis < mesh_.axes.size(); ++axis)
    if (newPartial_.contains(axis) && device[axis] != 0) return true;
  return false;
}

Moved Moves::at(const Coordinate& device) const {
  if (windows_) return throughWindows(device);
  std::int64_t needed = 1, stays = 1, served = 1;
  for (const Group& group : groups_) {
    const Factor one = factor(group, device);
    needed = checkedProduct(needed, one.needed);
    stays = checkedProduct(stays, one.stays);
    served = checkedProduct(served, one.served);
  }
  // Along the other axes that split the input all devices need the same; of those that get the identity, one needs anything.
  const AxisSet splitting = to_.sharding.used();
  for (AxisId axis = 0; axis < mesh_.axes.size(); ++axis) {
    if (used_.contains(axis) && !splitting.contains(axis) && !newPartial_.contains(axis)) served = checkedProduct(served, mesh_.size(axis));
    if (!used_.contains(axis) && newPartial_.contains(axis) && device[axis] != 0) served = 0;
  }
  if (getsIdentity(device)) return {served, 0};
  return {served - stays, needed - stays};
}

// Where blocks overlap, an index is served by the receiver's own block, else by the first that holds it, dimension by dimension.
std::int64_t Moves::servedThroughWindows(const Coordinate& device, const Coordinate& receiver) const {
  std::int64_t elements = 1;
  for (std::size_t d = 0; d < fromSizes_.size(); ++d) {
    const Range held = rangeOf(from_, d, fromSizes_[d], mesh_, device);
    const Range wanted = intersect(held, rangeOf(to_, d, toSizes_[d], mesh_, receiver));
    const std::vector<AxisId> axes = axesOf(from_, d, d + 1);
    const std::size_t mine = indexOf(axes, mesh_, device), own = indexOf(axes, mesh_, receiver);
    if (mine == own) {
      elements = checkedProduct(elements, wanted.size);
      continue;
    }
    std::vector<Range> before{rangeOf(from_, d, fromSizes_[d], mesh_, receiver)};
    forAll(axes, mesh_, device, [&](const Coordinate& other) {
      if (indexOf(axes, mesh_, other) < mine) before.push_back(rangeOf(from_, d, fromSizes_[d], mesh_, other));
    });
    std::int64_t alone = 0;
    for (std::int64_t i = wanted.start; i < wanted.end(); ++i)
      alone += std::none_of(before.begin(), before.end(), [&](Range range) { return i >= range.start && i < range.end(); });
    elements = checkedProduct(elements, alone);
  }
  return elements;
}

Moved Moves::throughWindows(const Coordinate& device) const {
  Moved moved;
  std::int64_t needed = 1;
  for (std::size_t d = 0; d < toSizes_.size(); ++d) needed = checkedProduct(needed, rangeOf(to_, d, toSizes_[d], mesh_, device).size);
  if (!getsIdentity(device)) moved.received = needed - servedThroughWindows(device, device);
  forAll(listOf(used_, mesh_), mesh_, device, [&](const Coordinate& receiver) {
    if (receiver != device && !getsIdentity(receiver)) moved.sent = checkedSum(moved.sent, servedThroughWindows(device, receiver));
  });
  return moved;
}

std::vector<std::int64_t> Moves::signature(AxisId axis, std::int64_t number) const {
  std::vector<std::int64_t> all{newPartial_.contains(axis) ? number != 0 : 0};
  Coordinate device(mesh_.axes.size(), 0);
  device[axis] = number;
  if (windows_) {
    const AxisSet involved{used_.bits | to_.sharding.used().bits | newPartial_.bits};
    if (!involved.contains(axis)) return all;
    std::vector<AxisId> others = listOf(involved, mesh_);
    std::erase(others, axis);
    forAll(others, mesh_, device, [&](const Coordinate& at) {
      const Moved moved = throughWindows(at);
      all.insert(all.end(), {moved.sent, moved.received});
    });
    return all;
  }
  for (const Group& group : groups_) {
    std::vector<AxisId> others = group.axes;
    if (std::erase(others, axis) == 0) continue;
    forAll(others, mesh_, device, [&](const Coordinate& at) {
      const Factor one = factor(group, at);
      all.insert(all.end(), {one.needed, one.stays, one.served});
    });
  }
  return all;
}

}  // namespace core
