#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/spmd/program.h"
#include "core/spmd/reshard.h"

// Programs that only move one tensor, and what must come out.

namespace movement {

using Sizes = std::vector<std::int64_t>;

inline core::Buffer buffer(const std::string& name, const Sizes& sizes, const core::Placement& placement, const core::Mesh& mesh, std::int64_t& arena,
                           core::DType dtype = core::DType::f64) {
  core::Buffer made{.name = name, .sizes = sizes, .placement = placement, .dtype = dtype};
  for (std::size_t d = 0; d < sizes.size(); ++d) made.dims.push_back("d" + std::to_string(d));
  made.localShape = core::localShape(placement, sizes, mesh);
  made.bytes = core::byteSize(dtype);
  for (std::int64_t size : made.localShape) made.bytes *= size;
  made.offset = arena;
  arena += (made.bytes + 63) / 64 * 64;
  return made;
}

inline void addStep(core::Program& program, core::BufferId from, core::BufferId to, core::InstructionKind kind, const core::Collective& collective) {
  const int pair = static_cast<int>(program.instructions.size());
  core::Instruction one{.kind = kind, .name = "step " + std::to_string(pair), .inputs = {from}, .outputs = {to}, .collective = collective, .pair = pair};
  program.instructions.push_back(one);
  if (kind != core::InstructionKind::start) return;
  one.kind = core::InstructionKind::wait;
  one.name += " wait";
  program.instructions.push_back(one);
}

inline core::Program empty(const core::Mesh& mesh, const Sizes& sizes, const core::Placement& from) {
  core::Program program{.mesh = mesh};
  program.buffers.push_back(buffer("x", sizes, from, mesh, program.arenaBytes));
  program.buffers[0].persistent = true;
  program.inputs = {core::BufferId(0)};
  return program;
}

// One collective from one placement to another; `toSizes` differ for a reshape.
inline core::Program single(const core::Mesh& mesh, const Sizes& sizes, const core::Placement& from, const Sizes& toSizes, const core::Placement& to, const core::Collective& collective) {
  core::Program program = empty(mesh, sizes, from);
  program.buffers.push_back(buffer("y", toSizes, to, mesh, program.arenaBytes));
  addStep(program, core::BufferId(0), core::BufferId(1), core::InstructionKind::start, collective);
  program.outputs = {core::BufferId(1)};
  return program;
}

// The steps that core::reshard chooses.
inline core::Program resharding(const core::Mesh& mesh, const Sizes& sizes, const core::Placement& from, const core::Placement& to) {
  core::Program program = empty(mesh, sizes, from);
  for (const core::ReshardStep& step : core::reshard(from, to, sizes, 8, mesh).steps) {
    const core::BufferId last(static_cast<std::int64_t>(program.buffers.size()) - 1);
    program.buffers.push_back(buffer("y", sizes, step.result, mesh, program.arenaBytes));
    addStep(program, last, core::BufferId(last.value + 1), step.kind, step.collective);
  }
  program.outputs = {core::BufferId(static_cast<std::int64_t>(program.buffers.size()) - 1)};
  return program;
}

inline core::AxisList everyAxis(const core::Mesh& mesh) {
  core::AxisList axes;
  for (core::AxisId axis = 0; axis < mesh.axes.size(); ++axis) axes.push_back(axis);
  return axes;
}

// Every sharding of a tensor of so many dimensions: each axis on a dimension (in either order where several meet), partial or unused.
inline std::vector<core::Sharding> allShardings(std::size_t rank, const core::Mesh& mesh, bool partials) {
  std::vector<core::Sharding> all{core::Sharding::replicated(rank)};
  for (core::AxisId axis = 0; axis < mesh.axes.size(); ++axis) {
    std::vector<core::Sharding> more = all;
    for (const core::Sharding& base : all) {
      for (std::size_t d = 0; d < rank; ++d)
        for (std::size_t at = 0; at <= base.dims[d].size(); ++at) {
          core::Sharding next = base;
          core::AxisList axes;
          for (std::size_t i = 0; i <= base.dims[d].size(); ++i) {
            if (i == at) axes.push_back(axis);
            if (i < base.dims[d].size()) axes.push_back(base.dims[d][i]);
          }
          next.dims[d] = axes;
          more.push_back(next);
        }
      if (partials) {
        core::Sharding next = base;
        next.partial.insert(axis);
        more.push_back(next);
      }
    }
    all = std::move(more);
  }
  return all;
}

// What a rank holds of element `linear`: its share of a partial sum, else the number itself.
inline double share(std::int64_t linear, const core::Placement& placement, const core::Coordinate& at) {
  double value = 1 + static_cast<double>(linear);
  for (core::AxisId axis = 0; axis < at.size(); ++axis)
    if (placement.sharding.partial.contains(axis)) value = value * 3 + static_cast<double>(at[axis] * (linear % 7 + 1));
  return value;
}

// The sum of all shares: the true number.
inline double truth(std::int64_t linear, const core::Placement& placement, const core::Mesh& mesh) {
  double sum = 0;
  for (std::int64_t rank = 0; rank < mesh.devices(); ++rank) {
    const core::Coordinate at = mesh.coordinate(rank);
    bool counts = true;
    for (core::AxisId axis = 0; axis < at.size(); ++axis)
      if (!placement.sharding.partial.contains(axis) && at[axis] != 0) counts = false;
    if (counts) sum += share(linear, placement, at);
  }
  return sum;
}

// Calls f(linear index, element of the block) for each element that a rank holds.
template <class F>
void forEach(const core::Buffer& buffer, const core::Mesh& mesh, const core::Coordinate& at, F f) {
  const std::vector<core::Range> ranges = core::localRanges(buffer.placement, buffer.sizes, mesh, at);
  std::int64_t elements = 1;
  for (const core::Range& range : ranges) elements *= range.size;
  for (std::int64_t i = 0; i < elements; ++i) {
    std::int64_t rest = i, linear = 0, local = 0, globalStride = 1, localStride = 1;
    for (std::size_t d = ranges.size(); d-- > 0;) {
      const std::int64_t index = rest % ranges[d].size;
      rest /= ranges[d].size;
      linear += (ranges[d].start + index) * globalStride;
      local += index * localStride;
      globalStride *= buffer.sizes[d];
      localStride *= buffer.localShape[d];
    }
    f(linear, local);
  }
}

inline void fill(const core::Buffer& buffer, const core::Mesh& mesh, const core::Coordinate& at, std::byte* block) {
  forEach(buffer, mesh, at, [&](std::int64_t linear, std::int64_t local) { reinterpret_cast<double*>(block)[local] = share(linear, buffer.placement, at); });
}

// How many of the elements that a rank holds of a result without partial sums are not the true ones.
inline std::int64_t wrong(const core::Program& program, const core::Coordinate& at, const std::byte* block) {
  const core::Buffer& result = program.buffers[program.outputs[0].index()];
  std::int64_t count = 0;
  forEach(result, program.mesh, at, [&](std::int64_t linear, std::int64_t local) {
    if (reinterpret_cast<const double*>(block)[local] != truth(linear, program.buffers[0].placement, program.mesh)) ++count;
  });
  return count;
}

// One collective, for the table that the in-process and the MPI tests share.
struct Case {
  std::string name;
  core::Program program;
};

// Every single collective that leads from a sharding of a two-dimensional tensor to another, in sizes that do not divide.
inline std::vector<Case> table(const core::Mesh& mesh, const Sizes& sizes) {
  std::vector<Case> cases;
  const auto add = [&](const std::string& name, const core::Sharding& from, const core::Sharding& to, const core::Collective& collective) {
    cases.push_back({name + " on " + core::print(mesh), single(mesh, sizes, {from, {}}, sizes, {to, {}}, collective)});
  };
  using Kind = core::CollectiveKind;
  for (const core::Sharding& from : allShardings(sizes.size(), mesh, true)) {
    if (!from.partial.empty()) {
      core::Sharding whole = from;
      whole.partial = {};
      core::AxisList axes;
      for (core::AxisId axis = 0; axis < mesh.axes.size(); ++axis)
        if (from.partial.contains(axis)) axes.push_back(axis);
      add("all-reduce", from, whole, {.kind = Kind::allReduce, .axes = axes});
    }
    for (std::size_t d = 0; d < sizes.size(); ++d) {
      for (core::AxisId axis = 0; axis < mesh.axes.size(); ++axis) {
        if (!from.partial.contains(axis)) continue;
        core::Sharding scattered = from;
        scattered.partial.erase(axis);
        scattered.dims[d].push_back(axis);
        add("reduce-scatter", from, scattered, {.kind = Kind::reduceScatter, .axes = {axis}, .splitDim = static_cast<int>(d)});
      }
      if (from.dims[d].empty()) continue;
      const core::AxisId axis = from.dims[d].back();
      core::Sharding gathered = from;
      gathered.dims[d].pop_back();
      add("all-gather", from, gathered, {.kind = Kind::allGather, .axes = {axis}, .concatDim = static_cast<int>(d)});
      for (std::size_t e = 0; e < sizes.size(); ++e) {
        if (e == d) continue;
        core::Sharding moved = gathered;
        moved.dims[e].push_back(axis);
        add("all-to-all", from, moved, {.kind = Kind::allToAll, .axes = {axis}, .splitDim = static_cast<int>(e), .concatDim = static_cast<int>(d)});
      }
      for (core::AxisId other = 0; other < mesh.axes.size(); ++other) {
        if (mesh.size(other) != mesh.size(axis) || from.used().contains(other) || from.partial.contains(other)) continue;
        core::Sharding permuted = gathered;
        permuted.dims[d].push_back(other);
        add("collective-permute", from, permuted, {.kind = Kind::collectivePermute, .axes = {axis, other}});
      }
    }
  }
  for (const core::Sharding& from : allShardings(sizes.size(), mesh, false))
    for (const core::Sharding& to : allShardings(sizes.size(), mesh, false))
      add("redistribute", from, to, {.kind = Kind::redistribute, .axes = everyAxis(mesh)});
  return cases;
}

}  // namespace movement
