#include "core/spmd/redistribute.h"

#include <algorithm>
#include <cassert>
#include <map>

namespace core {
namespace {

using Box = std::vector<Range>;

Range intersect(Range a, Range b) {
  const std::int64_t start = std::max(a.start, b.start);
  return {start, std::max<std::int64_t>(0, std::min(a.end(), b.end()) - start)};
}

std::int64_t volume(const Box& box) {
  std::int64_t product = 1;
  for (const Range& range : box) product *= range.size;
  return product;
}

// A part of a dimension and the coordinates, on the axes that split it in the input, of the block that serves it.
struct Segment {
  Range range;
  std::vector<std::int64_t> at;  // one number an axis of the list
};

std::vector<Range> intersect(const std::vector<Range>& a, const std::vector<Range>& b) {
  std::vector<Range> common;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const Range both = intersect(a[i], b[j]);
    if (both.size > 0) common.push_back(both);
    if (a[i].end() < b[j].end()) ++i; else ++j;
  }
  return common;
}

// Cuts what is still needed into segments served by a block, and leaves the rest in `needed`.
void serve(Range block, const std::vector<std::int64_t>& at, std::vector<Range>& needed, std::vector<Segment>& segments) {
  std::vector<Range> rest;
  for (const Range& want : needed) {
    const Range both = intersect(want, block);
    if (both.size == 0) {
      rest.push_back(want);
      continue;
    }
    segments.push_back({both, at});
    if (both.start > want.start) rest.push_back({want.start, both.start - want.start});
    if (both.end() < want.end()) rest.push_back({both.end(), want.end() - both.end()});
  }
  needed = std::move(rest);
}

// Who serves the indices `wanted` of dimension d for a receiver: its own block first, then the others in order.
std::vector<Segment> segmentsOf(const Placement& from, std::size_t d, std::int64_t size, Range wanted, const Mesh& mesh, const Coordinate& receiver) {
  const AxisList& axes = from.sharding.dims[d];
  std::vector<Segment> segments;
  std::vector<Range> needed;
  if (wanted.size > 0) needed.push_back(wanted);
  std::vector<std::int64_t> own;
  for (AxisId axis : axes) own.push_back(receiver[axis]);
  serve(rangeOf(from, d, size, mesh, receiver), own, needed, segments);
  for (std::int64_t block = 0; block < mesh.size(axes) && !needed.empty(); ++block) {
    Coordinate at = receiver;
    std::int64_t rest = block;
    for (std::size_t i = axes.size(); i-- > 0;) {
      at[axes[i]] = rest % mesh.size(axes[i]);
      rest /= mesh.size(axes[i]);
    }
    std::vector<std::int64_t> chosen;
    for (AxisId axis : axes) chosen.push_back(at[axis]);
    serve(rangeOf(from, d, size, mesh, at), chosen, needed, segments);
  }
  assert(needed.empty() && "the blocks of an input cover its dimensions");
  return segments;
}

// True where an axis that only the output is partial over gives this rank the identity.
bool holdsIdentity(const Placement& from, const Placement& to, const Mesh& mesh, const Coordinate& at) {
  for (AxisId axis = 0; axis < mesh.axes.size(); ++axis)
    if (to.sharding.partial.contains(axis) && !from.sharding.partial.contains(axis) && at[axis] != 0) return true;
  return false;
}

// What a receiver gets, by source rank.
using Served = std::map<std::int64_t, Transfer>;

void addBoxes(const std::vector<std::vector<Segment>>& segments, const Placement& from, const Mesh& mesh, const Coordinate& receiver, Served& served) {
  std::vector<std::size_t> pick(segments.size(), 0);
  for (const auto& one : segments)
    if (one.empty()) return;
  for (;;) {
    Coordinate source = receiver;
    Box box;
    for (std::size_t d = 0; d < segments.size(); ++d) {
      const Segment& segment = segments[d][pick[d]];
      box.push_back(segment.range);
      for (std::size_t i = 0; i < segment.at.size(); ++i) source[from.sharding.dims[d][i]] = segment.at[i];
    }
    Transfer& transfer = served[mesh.rank(source)];
    transfer.elements += volume(box);
    transfer.boxes.push_back(std::move(box));
    std::size_t d = segments.size();
    while (d > 0 && ++pick[d - 1] == segments[d - 1].size()) pick[--d] = 0;
    if (d == 0) return;
  }
}

Served servedBoxes(const Buffer& from, const Buffer& to, const Mesh& mesh, const Coordinate& receiver) {
  Served served;
  if (holdsIdentity(from.placement, to.placement, mesh, receiver)) return served;
  const Box wanted = localRanges(to.placement, to.sizes, mesh, receiver);
  std::vector<std::vector<Segment>> segments;
  for (std::size_t d = 0; d < wanted.size(); ++d)
    segments.push_back(segmentsOf(from.placement, d, from.sizes[d], wanted[d], mesh, receiver));
  addBoxes(segments, from.placement, mesh, receiver, served);
  return served;
}

// Every rank that can serve the receiver: its own coordinate on all axes that do not split the input.
std::vector<std::int64_t> holders(const Placement& from, const Mesh& mesh, const Coordinate& receiver) {
  std::vector<std::int64_t> ranks{mesh.rank(receiver)};
  const AxisSet used = from.sharding.used();
  for (AxisId axis = 0; axis < mesh.axes.size(); ++axis) {
    if (!used.contains(axis)) continue;
    std::vector<std::int64_t> more;
    for (std::int64_t rank : ranks)
      for (std::int64_t i = 0; i < mesh.size(axis); ++i) {
        Coordinate at = mesh.coordinate(rank);
        at[axis] = i;
        more.push_back(mesh.rank(at));
      }
    ranks = std::move(more);
  }
  std::sort(ranks.begin(), ranks.end());
  return ranks;
}

std::vector<Range> runsOf(const Buffer& buffer, const Mesh& mesh, std::int64_t rank) {
  return linearRuns(localRanges(buffer.placement, buffer.sizes, mesh, mesh.coordinate(rank)), buffer.sizes);
}

Transfer transferOf(const std::vector<Range>& held, const std::vector<Range>& wanted, std::int64_t peer) {
  Transfer transfer{.peer = peer, .runs = intersect(held, wanted)};
  for (const Range& run : transfer.runs) transfer.elements += run.size;
  return transfer;
}

RedistributePlan planReshape(const Buffer& from, const Buffer& to, const Mesh& mesh, std::int64_t rank) {
  if (!from.placement.plain())
    throw Error{.what = "a reshape of a tensor that is held with halos", .where = from.name, .right = "bring it to plain shards first"};
  RedistributePlan plan{.reshapes = true};
  const Coordinate me = mesh.coordinate(rank);
  const std::vector<Range> held = runsOf(from, mesh, rank), wanted = runsOf(to, mesh, rank);
  const bool needs = !holdsIdentity(from.placement, to.placement, mesh, me);
  for (std::int64_t peer : holders(from.placement, mesh, me)) {
    const bool peerNeeds = !holdsIdentity(from.placement, to.placement, mesh, mesh.coordinate(peer));
    if (peer == rank) {
      if (needs) plan.stays = transferOf(held, wanted, peer);
      continue;
    }
    if (needs) plan.receives.push_back(transferOf(runsOf(from, mesh, peer), wanted, peer));
    if (peerNeeds) plan.sends.push_back(transferOf(held, runsOf(to, mesh, peer), peer));
  }
  return plan;
}

RedistributePlan planSameSizes(const Buffer& from, const Buffer& to, const Mesh& mesh, std::int64_t rank) {
  RedistributePlan plan;
  const Coordinate me = mesh.coordinate(rank);
  for (auto& [source, transfer] : servedBoxes(from, to, mesh, me)) {
    transfer.peer = source;
    (source == rank ? plan.stays : plan.receives.emplace_back()) = std::move(transfer);
  }
  for (std::int64_t peer : holders(from.placement, mesh, me)) {
    if (peer == rank) continue;
    Served served = servedBoxes(from, to, mesh, mesh.coordinate(peer));
    if (auto mine = served.find(rank); mine != served.end()) {
      mine->second.peer = peer;
      plan.sends.push_back(std::move(mine->second));
    }
  }
  return plan;
}

std::int64_t total(const std::vector<Transfer>& transfers) {
  std::int64_t elements = 0;
  for (const Transfer& one : transfers) elements += one.elements;
  return elements;
}

}  // namespace

std::int64_t RedistributePlan::elementsSent() const { return total(sends); }
std::int64_t RedistributePlan::elementsReceived() const { return total(receives); }

std::vector<Range> linearRuns(std::span<const Range> box, std::span<const std::int64_t> sizes) {
  for (const Range& range : box)
    if (range.size == 0) return {};
  std::size_t whole = sizes.size();  // dims from here on are covered whole
  std::int64_t block = 1;
  while (whole > 0 && box[whole - 1].size == sizes[whole - 1]) block *= sizes[--whole];
  if (whole == 0) return {{0, block}};
  std::vector<std::int64_t> stride(sizes.size(), 1);
  for (std::size_t d = sizes.size() - 1; d > 0; --d) stride[d - 1] = stride[d] * sizes[d];
  const std::size_t last = whole - 1;  // the innermost dimension that is not whole: its range is one run
  std::vector<Range> runs;
  std::vector<std::int64_t> index(last, 0);
  for (;;) {
    std::int64_t start = box[last].start * stride[last];
    for (std::size_t d = 0; d < last; ++d) start += (box[d].start + index[d]) * stride[d];
    const std::int64_t size = box[last].size * block;
    runs.push_back({start, size});
    std::size_t d = last;
    while (d > 0 && ++index[d - 1] == box[d - 1].size) index[--d] = 0;
    if (d == 0) return runs;
  }
}

RedistributePlan planRedistribute(const Buffer& from, const Buffer& to, const Mesh& mesh, std::int64_t rank) {
  for (AxisId axis = 0; axis < mesh.axes.size(); ++axis)
    assert((!from.placement.sharding.partial.contains(axis) || to.placement.sharding.partial.contains(axis)) && "a redistribute adds nothing up");
  const bool same = from.sizes == to.sizes;
  RedistributePlan plan = same ? planSameSizes(from, to, mesh, rank) : planReshape(from, to, mesh, rank);
  const auto empty = [](const Transfer& one) { return one.elements == 0; };
  std::erase_if(plan.sends, empty);
  std::erase_if(plan.receives, empty);
  plan.stays.peer = rank;
  return plan;
}

}  // namespace core
