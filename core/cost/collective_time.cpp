#include "core/cost/collective_time.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/base/checked.h"

namespace core {
namespace {

std::int64_t strideOfAxis(AxisId axis, const Mesh& mesh) {
  std::int64_t stride = 1;
  for (std::size_t later = axis + 1u; later < mesh.axes.size(); ++later) stride *= mesh.axes[later].size;
  return stride;
}

// True when some group along an axis does not lie inside one unit of `unit` consecutive ranks.
bool leaves(std::int64_t unit, std::int64_t stride, std::int64_t n, std::int64_t ranks) {
  return n > 1 && ranks > unit && unit % (stride * n) != 0;
}

double bandwidthOn(const MachineLevel& level, std::int64_t apart, std::int64_t n) {
  const double one = level.bandwidth.value;
  switch (level.topology) {
    case Topology::fullyConnected: return one;
    case Topology::torus: return n > 2 ? 2 * one : one;
    case Topology::ring: return n > 2 && n * apart == level.devices ? 2 * one / apart : one / apart;
  }
  return one;
}

// One phase along one axis: what a device sends, how many messages follow one another.
struct Phase {
  AxisId axis = 0;
  std::int64_t bytes = 0;
};

std::int64_t chunk(std::int64_t bytes, std::int64_t n, std::int64_t elementBytes) {
  const std::int64_t elements = (bytes + elementBytes - 1) / elementBytes;
  return (elements + n - 1) / n * elementBytes;
}

// Scatters `bytes` along the axes one after the other; the phases of the gather back are the same, mirrored.
std::vector<Phase> scatterPhases(std::int64_t bytes, const AxisList& axes, const Mesh& mesh, std::int64_t elementBytes) {
  std::vector<Phase> phases;
  for (AxisId axis : axes) {
    const std::int64_t part = chunk(bytes, mesh.size(axis), elementBytes);
    phases.push_back({axis, checkedProduct(mesh.size(axis) - 1, part)});
    bytes = part;
  }
  return phases;
}

std::vector<Phase> phasesOf(const Message& message, const AxisList& axes, const Mesh& mesh) {
  switch (message.kind) {
    case CollectiveKind::allReduce: {
      std::vector<Phase> phases = scatterPhases(message.bytes, axes, mesh, message.elementBytes);
      const std::vector<Phase> back(phases.rbegin(), phases.rend());
      phases.insert(phases.end(), back.begin(), back.end());
      return phases;
    }
    case CollectiveKind::allGather:
    case CollectiveKind::reduceScatter:
      return scatterPhases(checkedProduct(message.bytes, mesh.size(axes)), axes, mesh, message.elementBytes);
    default: return {};
  }
}

std::int64_t sum(const std::vector<Phase>& phases) {
  std::int64_t bytes = 0;
  for (const Phase& phase : phases) bytes = checkedSum(bytes, phase.bytes);
  return bytes;
}

double messages(const AxisLink& link, std::int64_t n) {
  return link.topology == Topology::fullyConnected ? std::ceil(std::log2(static_cast<double>(n))) : static_cast<double>(n - 1);
}

// Every pair has a chunk for the other. On a ring the middle links carry a quarter of all pairs.
double allToAllSeconds(const AxisLink& link, std::int64_t n, double chunkBytes) {
  const double latency = link.latency * static_cast<double>(n - 1);
  if (link.topology == Topology::fullyConnected) return latency + chunkBytes * static_cast<double>(n - 1) / link.bandwidth;
  return latency + chunkBytes * static_cast<double>(n * n / 4) / link.bandwidth;
}

AxisList withoutSingles(const AxisList& axes, const Mesh& mesh) {
  AxisList kept;
  for (AxisId axis : axes)
    if (mesh.size(axis) > 1) kept.push_back(axis);
  return kept;
}

}  // namespace

AxisLink linkOf(AxisId axis, const Mesh& mesh, const Machine& machine) {
  assert(!machine.levels.empty() && "a machine has at least one level");
  const std::int64_t stride = strideOfAxis(axis, mesh), n = mesh.size(axis);
  std::size_t crossed = 0;
  for (std::size_t level = 1; level < machine.levels.size(); ++level)
    if (leaves(strideOf(machine, level), stride, n, mesh.devices())) crossed = level;
  const MachineLevel& level = machine.levels[crossed];
  const std::int64_t apart = std::max<std::int64_t>(1, stride / strideOf(machine, crossed));
  return {bandwidthOn(level, apart, n), level.latency.value, level.topology};
}

AxisLink slowestLink(const AxisList& axes, const Mesh& mesh, const Machine& machine) {
  AxisLink slowest = linkOf(axes[0], mesh, machine);
  for (AxisId axis : axes)
    if (const AxisLink link = linkOf(axis, mesh, machine); link.bandwidth < slowest.bandwidth) slowest = link;
  return slowest;
}

AxisList fastestFirst(const AxisList& axes, const Mesh& mesh, const Machine& machine) {
  std::vector<std::pair<double, AxisId>> order;
  for (AxisId axis : axes) order.push_back({-linkOf(axis, mesh, machine).bandwidth, axis});
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  AxisList sorted;
  for (const auto& [_, axis] : order) sorted.push_back(axis);
  return sorted;
}

std::int64_t wireBytes(const Message& message, const Mesh& mesh) {
  const std::int64_t n = mesh.size(message.axes);
  switch (message.kind) {
    case CollectiveKind::allReduce:
    case CollectiveKind::allGather:
    case CollectiveKind::reduceScatter: return sum(phasesOf(message, message.axes, mesh));
    case CollectiveKind::allToAll: return checkedProduct(n - 1, message.bytes);
    case CollectiveKind::collectivePermute:
    case CollectiveKind::broadcast: return n > 1 ? message.bytes : 0;
    case CollectiveKind::redistribute: return message.bytes;
  }
  return 0;
}

double collectiveSeconds(const Message& message, const Mesh& mesh, const Machine& machine) {
  const AxisList axes = withoutSingles(message.axes, mesh);
  if (axes.empty()) return 0;
  const std::int64_t n = mesh.size(axes);
  const double bytes = static_cast<double>(message.bytes);
  switch (message.kind) {
    case CollectiveKind::allToAll: return allToAllSeconds(slowestLink(axes, mesh, machine), n, bytes);
    case CollectiveKind::broadcast: {
      const AxisLink link = slowestLink(axes, mesh, machine);
      return link.latency * messages(link, n) + bytes / link.bandwidth;
    }
    case CollectiveKind::collectivePermute:
    case CollectiveKind::redistribute: {
      const AxisLink link = slowestLink(axes, mesh, machine);
      return link.latency + bytes / link.bandwidth;
    }
    default: break;
  }
  double seconds = 0;
  for (const Phase& phase : phasesOf(message, fastestFirst(axes, mesh, machine), mesh)) {
    const AxisLink link = linkOf(phase.axis, mesh, machine);
    seconds += link.latency * messages(link, mesh.size(phase.axis)) + static_cast<double>(phase.bytes) / link.bandwidth;
  }
  return seconds;
}

}  // namespace core
