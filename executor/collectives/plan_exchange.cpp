#include "executor/collectives/plan_exchange.h"

#include <algorithm>
#include <cassert>

#include "core/spmd/redistribute.h"

namespace executor {
namespace {

using core::Buffer;
using core::Mesh;
using core::Range;
using core::Transfer;

// A box as it lies in a message.
Held packed(const std::vector<Range>& box) {
  Held held{.ranges = box};
  for (const Range& range : box) held.shape.push_back(range.size);
  held.strides = rowMajorStrides(held.shape);
  return held;
}

// Where a global row-major linear index lies in what a rank holds.
std::int64_t localOffset(const Held& held, std::int64_t linear) {
  std::int64_t offset = 0;
  for (std::size_t d = held.sizes.size(); d-- > 0;) {
    offset += (linear % held.sizes[d] - held.ranges[d].start) * held.strides[d];
    linear /= held.sizes[d];
  }
  return offset;
}

struct RunCopy {
  std::int64_t source, target, size;
};

// Runs of equal size at equal distances become one box.
std::vector<BoxCopy> joined(const std::vector<RunCopy>& runs) {
  std::vector<BoxCopy> copies;
  for (std::size_t i = 0; i < runs.size();) {
    std::size_t j = i + 1;
    const std::int64_t sourceStep = j < runs.size() ? runs[j].source - runs[i].source : 0;
    const std::int64_t targetStep = j < runs.size() ? runs[j].target - runs[i].target : 0;
    while (j < runs.size() && runs[j].size == runs[i].size && runs[j].source - runs[j - 1].source == sourceStep && runs[j].target - runs[j - 1].target == targetStep) ++j;
    const std::int64_t count = static_cast<std::int64_t>(j - i);
    copies.push_back(simplified({{count, runs[i].size}, {count > 1 ? sourceStep : 0, 1}, {count > 1 ? targetStep : 0, 1}, runs[i].source, runs[i].target}));
    i = j;
  }
  return copies;
}

void append(std::vector<BoxCopy>& all, std::vector<BoxCopy> more) { all.insert(all.end(), more.begin(), more.end()); }

// From what a rank holds into a message that begins `at` elements into the scratch.
void pack(const Transfer& transfer, const Held& held, std::int64_t at, std::vector<BoxCopy>& copies) {
  for (const std::vector<Range>& box : transfer.boxes) {
    const Held message = packed(box);
    BoxCopy copy = copyOf(box, held, message);
    copy.target += at;
    at += message.elements();
    copies.push_back(std::move(copy));
  }
  std::vector<RunCopy> runs;
  for (const Range& run : transfer.runs) {
    runs.push_back({localOffset(held, run.start), at, run.size});
    at += run.size;
  }
  append(copies, joined(runs));
}

void unpack(const Transfer& transfer, const Held& held, std::int64_t at, std::vector<BoxCopy>& copies) {
  for (const std::vector<Range>& box : transfer.boxes) {
    const Held message = packed(box);
    BoxCopy copy = copyOf(box, message, held);
    copy.source += at;
    at += message.elements();
    copies.push_back(std::move(copy));
  }
  std::vector<RunCopy> runs;
  for (const Range& run : transfer.runs) {
    runs.push_back({at, localOffset(held, run.start), run.size});
    at += run.size;
  }
  append(copies, joined(runs));
}

std::vector<BoxCopy> keep(const Transfer& transfer, const Held& input, const Held& output) {
  std::vector<BoxCopy> copies;
  for (const std::vector<Range>& box : transfer.boxes) copies.push_back(copyOf(box, input, output));
  std::vector<RunCopy> runs;
  for (const Range& run : transfer.runs) runs.push_back({localOffset(input, run.start), localOffset(output, run.start), run.size});
  append(copies, joined(runs));
  return copies;
}

bool isPartialOnlyAfter(const Buffer& from, const Buffer& to) {
  return (to.placement.sharding.partial.bits & ~from.placement.sharding.partial.bits) != 0;
}

}  // namespace

ExchangePlan planExchange(const Buffer& from, const Buffer& to, const Mesh& mesh, std::int64_t rank) {
  const core::RedistributePlan plan = core::planRedistribute(from, to, mesh, rank);
  const Held input = heldOf(from, mesh, mesh.coordinate(rank)), output = heldOf(to, mesh, mesh.coordinate(rank));
  const std::int64_t elementBytes = core::byteSize(from.dtype);
  ExchangePlan exchange;
  std::int64_t at = 0;
  for (const Transfer& one : plan.sends) {
    pack(one, input, at, exchange.pack);
    exchange.sends.push_back({one.peer, at * elementBytes, one.elements * elementBytes});
    at += one.elements;
  }
  at = 0;
  for (const Transfer& one : plan.receives) {
    unpack(one, output, at, exchange.unpack);
    exchange.receives.push_back({one.peer, at * elementBytes, one.elements * elementBytes});
    at += one.elements;
  }
  exchange.keep = keep(plan.stays, input, output);
  exchange.fillsIdentity = isPartialOnlyAfter(from, to);
  return exchange;
}

PermutePartners permutePartners(const Buffer& from, const Buffer& to, const Mesh& mesh, const std::vector<std::int64_t>& group, std::int64_t rank) {
  const std::size_t n = group.size();
  std::vector<std::vector<Range>> held(n), needed(n);
  for (std::size_t i = 0; i < n; ++i) {
    held[i] = core::localRanges(from.placement, from.sizes, mesh, mesh.coordinate(group[i]));
    needed[i] = core::localRanges(to.placement, to.sizes, mesh, mesh.coordinate(group[i]));
  }
  std::vector<std::size_t> source(n, n);
  std::vector<bool> taken(n, false);
  for (std::size_t i = 0; i < n; ++i)
    if (held[i] == needed[i]) source[i] = i, taken[i] = true;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n && source[i] == n; ++j)
      if (!taken[j] && held[j] == needed[i]) source[i] = j, taken[j] = true;
  PermutePartners partners;
  for (std::size_t i = 0; i < n; ++i) {
    if (source[i] == n) throw core::Error{.what = "a collective-permute cannot bring \"" + from.name + "\" to \"" + to.name + "\"", .where = "", .right = "a redistribute can"};
    if (group[i] == rank) partners.source = group[source[i]];
    if (group[source[i]] == rank) partners.destination = group[i];
  }
  return partners;
}

}  // namespace executor
