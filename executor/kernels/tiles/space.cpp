#include <algorithm>
#include <map>
#include <optional>

#include "executor/kernels/tiles/tiles.h"

namespace executor::tiles {
namespace {

using core::AxisIndex;
using core::Expression;
using core::Node;

// A compute alone: its own loops.
bool ownLoops(const Part& part, Space& space) {
  const Expression& expression = *part.request.expression;
  std::vector<int> loopOf;
  for (std::size_t l = 0; l < expression.loops.size(); ++l) {
    if (expression.loops[l].kind == core::Loop::Kind::lookup) {
      loopOf.push_back(-1);
      continue;
    }
    loopOf.push_back(static_cast<int>(space.loops.size()));
    const core::Range range = part.request.loops[l];
    space.loops.push_back({range.start, range.size, expression.loops[l].kind == core::Loop::Kind::reduced});
  }
  space.loopOf = {loopOf};
  return true;
}

// Computes of a chain meet in the dimensions that their loops run over.
bool sharedLoops(const std::vector<Part>& parts, Space& space) {
  std::map<core::DimId, int> known;
  for (const Part& part : parts) {
    const Expression& expression = *part.request.expression;
    std::vector<int> loopOf;
    for (std::size_t l = 0; l < expression.loops.size(); ++l) {
      const core::Loop& loop = expression.loops[l];
      const core::Range range = part.request.loops[l];
      if (!loop.dim.valid() || loop.kind == core::Loop::Kind::lookup) return false;
      const auto [at, isNew] = known.emplace(loop.dim, static_cast<int>(space.loops.size()));
      if (isNew) space.loops.push_back({range.start, range.size, false});
      Loop& shared = space.loops[static_cast<std::size_t>(at->second)];
      if (shared.start != range.start || shared.size != range.size) return false;
      shared.reduced |= loop.kind == core::Loop::Kind::reduced;
      loopOf.push_back(at->second);
    }
    space.loopOf.push_back(std::move(loopOf));
  }
  return true;
}

// x[d / 12, d / 3 % 4, d % 3], of which all but the first axis are held whole, lies like x[d]: the last of these axes, or none.
std::optional<std::size_t> endOfMerge(const Node& read, const Held& held, std::size_t first) {
  const AxisIndex& major = read.axes[first];
  if (major.divide == 1 || major.modulo != 0 || major.offset != 0) return std::nullopt;
  std::size_t last = first;
  for (std::int64_t divide = major.divide; divide > 1 && last + 1 < read.axes.size(); ++last) {
    const AxisIndex& next = read.axes[last + 1];
    const bool follows = next.terms == major.terms && next.offset == 0 && next.modulo > 0 && next.divide * next.modulo == divide;
    if (!follows || held.ranges[last + 1] != core::Range{0, next.modulo} || held.strides[last] != held.strides[last + 1] * next.modulo) return std::nullopt;
    divide = next.divide;
  }
  return read.axes[last].divide == 1 ? std::optional(last) : std::nullopt;
}

void addTerms(const AxisIndex& index, std::int64_t stride, std::int64_t heldStart, const Part& part, const std::vector<int>& loopOf, Access& access) {
  access.base += (index.offset - heldStart) * stride;
  for (const core::LoopTerm& term : index.terms) {
    access.base += term.factor * part.request.loops[static_cast<std::size_t>(term.loop)].start * stride;
    access.strides[static_cast<std::size_t>(loopOf[static_cast<std::size_t>(term.loop)])] += term.factor * stride;
  }
}

// Notes for which numbers of its loop an index is outside 0..size; false where several loops together decide.
bool guard(const AxisIndex& index, std::int64_t size, const Part& part, const std::vector<int>& loopOf, Access& access) {
  std::int64_t low = index.offset, high = index.offset;
  for (const core::LoopTerm& term : index.terms) {
    const core::Range range = part.request.loops[static_cast<std::size_t>(term.loop)];
    const std::int64_t first = term.factor * range.start, last = term.factor * (range.end() - 1);
    low += std::min(first, last);
    high += std::max(first, last);
    if (range.size == 0) return true;
  }
  if (low >= 0 && high < size) return true;
  if (index.terms.size() != 1 || std::abs(index.terms[0].factor) != 1) return false;
  const core::Range range = part.request.loops[static_cast<std::size_t>(index.terms[0].loop)];
  // 0 <= factor * (start + i) + offset < size
  const std::int64_t begin = index.terms[0].factor > 0 ? -index.offset - range.start : index.offset - size + 1 - range.start;
  const core::Range valid = intersect({0, range.size}, {begin, size});
  const auto loop = static_cast<std::size_t>(loopOf[static_cast<std::size_t>(index.terms[0].loop)]);
  if (access.inside.empty()) access.inside.assign(access.strides.size(), {0, std::int64_t{1} << 60});
  access.inside[loop] = intersect(access.inside[loop], valid);
  return true;
}

}  // namespace

bool findSpace(const std::vector<Part>& parts, Space& space) { return parts.size() == 1 ? ownLoops(parts[0], space) : sharedLoops(parts, space); }

bool accessOf(const Part& part, const std::vector<int>& loopOf, std::size_t loops, const Node& read, Access& access) {
  const auto operand = static_cast<std::size_t>(read.operand);
  const Held& held = part.request.inputs[operand];
  const Place& place = part.inputs[operand];
  access = {.output = place.kind == Place::Kind::output, .operand = place.index, .dtype = held.dtype, .strides = std::vector<std::int64_t>(loops, 0)};
  for (std::size_t d = 0; d < read.axes.size(); ++d) {
    const AxisIndex& index = read.axes[d];
    for (const core::LoopTerm& term : index.terms)
      if (loopOf[static_cast<std::size_t>(term.loop)] < 0) return false;
    if (index.kind == AxisIndex::Kind::whole) return false;
    if (index.kind == AxisIndex::Kind::lookup) {
      if (access.rowStride != 0) return false;  // two lookups in one read
      access.rowStride = held.strides[d];
      access.firstRow = held.ranges[d].start;
      access.tableRows = held.sizes[d];
      access.rows = index.loop >= 0 ? part.request.loops[static_cast<std::size_t>(index.loop)] : core::Range{0, held.sizes[d]};
      continue;
    }
    if (const auto last = endOfMerge(read, held, d)) {
      AxisIndex joined = index;
      joined.divide = 1;
      addTerms(joined, held.strides[*last], held.ranges[d].start * index.divide, part, loopOf, access);
      d = *last;
      continue;
    }
    if (index.modulo == 1 && index.divide == 1) continue;  // always the first
    if (index.divide != 1 || index.modulo != 0 || !guard(index, held.sizes[d], part, loopOf, access)) return false;
    addTerms(index, held.strides[d], held.ranges[d].start, part, loopOf, access);
  }
  return true;
}

Access outputAccess(const Part& part, const std::vector<int>& loopOf, std::size_t loops, std::size_t output) {
  const Held& held = part.request.outputs[output];
  const Place& place = part.outputs[output];
  Access access{.output = true, .operand = place.index, .dtype = held.dtype, .strides = std::vector<std::int64_t>(loops, 0)};
  const auto& over = part.request.expression->outputs[output].loops;
  for (std::size_t d = 0; d < over.size(); ++d) {
    const auto loop = static_cast<std::size_t>(over[d]);
    access.base += (part.request.loops[loop].start - held.ranges[d].start) * held.strides[d];
    access.strides[static_cast<std::size_t>(loopOf[loop])] += held.strides[d];
  }
  return access;
}

}  // namespace executor::tiles
