#include "core/cost/classes.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/spmd/index_sets.h"

namespace core {
namespace {

// One way in which a dimension or a loop is cut.
struct Split {
  std::int64_t size = 0;
  AxisList axes;
  Window window;
  auto operator<=>(const Split&) const = default;
};

using Key = std::tuple<Placement, std::vector<std::int64_t>, Placement, std::vector<std::int64_t>>;

struct Asked {
  std::set<Split> splits;
  std::vector<Moves> moves;
};

void collectLoops(const Program& program, const Instruction& one, std::set<Split>& splits) {
  if (one.expression < 0 || one.kind != InstructionKind::compute) return;
  const Expression& expression = program.expressions[static_cast<std::size_t>(one.expression)];
  for (std::size_t i = 0; i < expression.loops.size(); ++i)
    if (!one.loopAxes[i].empty()) splits.insert({expression.loops[i].extent, one.loopAxes[i], {}});
}

void collectMoves(const Program& program, const Instruction& one, std::set<Key>& seen, std::vector<Moves>& moves) {
  if (one.kind != InstructionKind::start || one.collective.kind != CollectiveKind::redistribute) return;
  for (std::size_t i = 0; i < one.inputs.size(); ++i) {
    const Buffer& in = program.buffers[one.inputs[i].index()];
    const Buffer& out = program.buffers[one.outputs[i].index()];
    if (seen.insert({in.placement, in.sizes, out.placement, out.sizes}).second)
      moves.emplace_back(in.placement, in.sizes, out.placement, out.sizes, program.mesh);
  }
}

void collect(const Program& program, const std::vector<Instruction>& instructions, Asked& asked, std::set<Key>& seen) {
  for (const Instruction& one : instructions) {
    collectLoops(program, one, asked.splits);
    collectMoves(program, one, seen, asked.moves);
    collect(program, one.body, asked, seen);
  }
}

Asked whatIsAsked(const Program& program) {
  Asked asked;
  std::set<Key> seen;
  collect(program, program.instructions, asked, seen);
  for (const Buffer& buffer : program.buffers)
    for (std::size_t d = 0; d < buffer.sizes.size(); ++d) {
      const AxisList& axes = buffer.placement.sharding.dims[d];
      if (axes.empty()) continue;
      asked.splits.insert({buffer.sizes[d], axes, buffer.placement.windows.empty() ? Window{} : buffer.placement.windows[d]});
    }
  return asked;
}

using Signature = std::vector<std::int64_t>;

std::int64_t partOf(std::int64_t parent, std::int64_t block, std::int64_t number) {
  return std::clamp<std::int64_t>(parent - number * block, 0, block);
}

// All sizes that the parts of a parent have: whole blocks, what is left over, nothing.
void insertParts(std::int64_t parent, std::int64_t block, std::int64_t n, std::set<std::int64_t>& sizes) {
  const std::int64_t whole = parent / block;
  if (whole > 0) sizes.insert(block);
  if (whole < n) sizes.insert(parent % block);
  if (whole + 1 < n) sizes.insert(0);
}

// The size of the part at `number` of axis, for each size that its parent block may have.
void signPlain(const Split& split, AxisId axis, std::int64_t number, const Mesh& mesh, Signature& signature) {
  std::set<std::int64_t> parents{split.size};
  std::int64_t block = split.size;
  for (AxisId one : split.axes) {
    const std::int64_t n = mesh.size(one);
    block = (block + n - 1) / n;
    if (one == axis) {
      for (std::int64_t parent : parents) signature.push_back(partOf(parent, block, number));
      return;
    }
    std::set<std::int64_t> sizes;
    for (std::int64_t parent : parents) insertParts(parent, block, n, sizes);
    parents = std::move(sizes);
  }
}

// Through a window the size depends on where the block lies: all coordinates of the other axes are tried.
void signWindow(const Split& split, AxisId axis, std::int64_t number, const Mesh& mesh, Signature& signature) {
  const Placement placement{{{split.axes}, {}, Reduction::sum}, {split.window}};
  Coordinate at(mesh.axes.size(), 0);
  for (;;) {
    at[axis] = number;
    signature.push_back(rangeOf(placement, 0, split.size, mesh, at).size);
    std::size_t i = split.axes.size();
    for (; i > 0; --i) {
      const AxisId one = split.axes[i - 1];
      if (one == axis) continue;
      if (++at[one] < mesh.size(one)) break;
      at[one] = 0;
    }
    if (i == 0) return;
  }
}

Signature signatureOf(const Asked& asked, AxisId axis, std::int64_t number, const Mesh& mesh, bool withMoves) {
  Signature signature;
  for (const Split& split : asked.splits) {
    if (!split.axes.contains(axis)) continue;
    if (split.window.plain()) signPlain(split, axis, number, mesh, signature);
    else signWindow(split, axis, number, mesh, signature);
  }
  if (withMoves)
    for (const Moves& moves : asked.moves) {
      const Signature more = moves.signature(axis, number);
      signature.insert(signature.end(), more.begin(), more.end());
    }
  return signature;
}

struct AxisClass {
  std::int64_t first = 0;
  std::int64_t numbers = 0;
};

std::vector<AxisClass> classesOf(const Asked& asked, AxisId axis, const Mesh& mesh, bool withMoves) {
  std::map<Signature, std::size_t> known;
  std::vector<AxisClass> classes;
  for (std::int64_t number = 0; number < mesh.size(axis); ++number) {
    const auto [found, isNew] = known.try_emplace(signatureOf(asked, axis, number, mesh, withMoves), classes.size());
    if (isNew) classes.push_back({number, 0});
    ++classes[found->second].numbers;
  }
  return classes;
}

std::vector<std::vector<AxisClass>> classesOf(const Asked& asked, const Mesh& mesh, bool withMoves) {
  std::vector<std::vector<AxisClass>> all;
  for (AxisId axis = 0; axis < mesh.axes.size(); ++axis) all.push_back(classesOf(asked, axis, mesh, withMoves));
  return all;
}

std::int64_t crossings(const std::vector<std::vector<AxisClass>>& classes, std::int64_t most) {
  std::int64_t product = 1;
  for (const auto& one : classes) product = std::min(most + 1, product * static_cast<std::int64_t>(one.size()));
  return product;
}

std::vector<CoordinateClass> cross(const std::vector<std::vector<AxisClass>>& classes) {
  std::vector<CoordinateClass> crossed{{{}, 1}};
  for (const auto& axis : classes) {
    std::vector<CoordinateClass> longer;
    for (const CoordinateClass& one : crossed)
      for (const AxisClass& next : axis) {
        longer.push_back(one);
        longer.back().first.push_back(next.first);
        longer.back().devices *= next.numbers;
      }
    crossed = std::move(longer);
  }
  return crossed;
}

}  // namespace

std::vector<CoordinateClass> coordinateClasses(const Program& program, std::int64_t most) {
  const Asked asked = whatIsAsked(program);
  auto classes = classesOf(asked, program.mesh, true);
  if (!asked.moves.empty() && crossings(classes, most) > most) classes = classesOf(asked, program.mesh, false);
  return cross(classes);
}

}  // namespace core
