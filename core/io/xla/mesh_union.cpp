#include "core/io/xla/mesh_union.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace core::xla {

void MeshUnion::declare(const std::string& name, DeviceMesh mesh, std::size_t position) {
  if (!meshes_.emplace(name, std::move(mesh)).second) scan_.failAt(position, fmt::format("the mesh @{} is declared twice", name));
}

const DeviceMesh& MeshUnion::meshOf(const MeshSharding& sharding) const {
  if (sharding.own) return *sharding.own;
  auto found = meshes_.find(sharding.mesh);
  if (found == meshes_.end()) scan_.failAt(sharding.position, fmt::format("the mesh @{} is not declared", sharding.mesh), fmt::format("sdy.mesh @{} = <[\"x\"=2]>", sharding.mesh));
  return found->second;
}

MeshUnion::Span MeshUnion::spanOf(const DeviceMesh& mesh, const AxisPart& part, std::size_t position) const {
  std::int64_t below = mesh.devices();
  for (const Axis& axis : mesh.axes) {
    below /= axis.size;
    if (axis.name != part.axis) continue;
    if (part.size == 0) return {below, below * axis.size};
    if (part.before > axis.size || part.size > axis.size || axis.size % (part.before * part.size) != 0)
      scan_.failAt(position, fmt::format("\"{}\":({}){} is no part of an axis of size {}", part.axis, part.before, part.size, axis.size), "a part whose size, and that of what stands before it, divide the axis");
    const std::int64_t high = below * (axis.size / part.before);
    return {high / part.size, high};
  }
  scan_.failAt(position, fmt::format("the mesh has no axis \"{}\"", part.axis));
}

std::vector<std::int64_t> MeshUnion::cutsOf(const DeviceMesh& mesh) const {
  std::vector<std::int64_t> cuts{mesh.devices()};
  for (const Axis& axis : mesh.axes) cuts.push_back(cuts.back() / axis.size);
  return cuts;
}

void MeshUnion::join() {
  std::vector<DeviceMesh> used;
  std::set<std::int64_t> cuts;
  std::size_t position = 0;
  for (const MeshSharding& use : uses_) {
    const DeviceMesh& mesh = meshOf(use);
    if (mesh.oneDevice || mesh.devices() == 1) continue;
    const bool known = std::any_of(used.begin(), used.end(), [&](const DeviceMesh& one) { return one.axes == mesh.axes && one.order == mesh.order; });
    if (!known) used.push_back(mesh), position = use.position;
    for (const std::vector<AxisPart>& parts : use.axes)
      for (const AxisPart& part : parts) {
        const Span span = spanOf(mesh, part, use.position);
        cuts.insert({span.low, span.high});
      }
  }
  if (used.empty()) {  // nothing says where anything lies: the mesh that is there, if it is one
    for (const auto& [name, mesh] : meshes_)
      if (mesh.devices() > 1) used.push_back(mesh);
    if (used.size() != 1) return;
  }
  for (const DeviceMesh& mesh : used) {
    if (mesh.devices() != used[0].devices()) scan_.failAt(position, fmt::format("meshes of {} and of {} devices are used", used[0].devices(), mesh.devices()), "one mesh a program");
    if (used.size() > 1 && !mesh.order.empty()) scan_.failAt(position, "meshes with devices in different orders are used", "one mesh a program");
    const std::vector<std::int64_t> own = cutsOf(mesh);
    cuts.insert(own.begin(), own.end());
  }
  cuts_.assign(cuts.begin(), cuts.end());
  for (std::size_t i = 1; i < cuts_.size(); ++i)
    if (cuts_[i] % cuts_[i - 1] != 0) scan_.failAt(position, fmt::format("the meshes have no common parts: one is cut at {} devices, one at {}", cuts_[i - 1], cuts_[i]), "one mesh a program");
  if (!used.empty()) name(used[0]);
}

// After the axes of `mesh`; its parts are numbered, major first.
void MeshUnion::name(const DeviceMesh& mesh) {
  std::set<std::string> taken;
  for (const Axis& axis : mesh.axes) taken.insert(axis.name);
  names_.assign(cuts_.size() - 1, {});
  std::int64_t below = mesh.devices();
  for (const Axis& axis : mesh.axes) {
    const std::int64_t high = below;
    below /= axis.size;
    std::vector<std::size_t> parts;
    for (std::size_t i = names_.size(); i-- > 0;)
      if (cuts_[i] >= below && cuts_[i + 1] <= high) parts.push_back(i);
    if (parts.size() == 1) {
      names_[parts[0]] = axis.name;
      continue;
    }
    for (std::size_t number = 0; number < parts.size(); ++number) {
      std::string name = fmt::format("{}_{}", axis.name, number + 1);
      while (!taken.insert(name).second) name += "_";
      names_[parts[number]] = name;
    }
  }
}

std::vector<Axis> MeshUnion::axes() const {
  std::vector<Axis> found;
  for (std::size_t i = names_.size(); i-- > 0;) found.push_back({names_[i], cuts_[i + 1] / cuts_[i]});
  return found;
}

std::optional<Sharding> MeshUnion::sharding(const MeshSharding& from) const {
  const DeviceMesh& mesh = meshOf(from);
  if (mesh.oneDevice) return std::nullopt;
  Sharding found;
  std::set<std::string> seen;
  for (const std::vector<AxisPart>& parts : from.axes) {
    std::vector<std::string>& axes = found.axes.emplace_back();
    for (const AxisPart& part : parts) {
      const Span span = spanOf(mesh, part, from.position);
      for (std::size_t i = names_.size(); i-- > 0;) {
        if (cuts_[i] < span.low || cuts_[i + 1] > span.high) continue;
        if (!seen.insert(names_[i]).second) scan_.failAt(from.position, fmt::format("the axis \"{}\" splits the value twice", part.axis));
        axes.push_back(names_[i]);
      }
    }
  }
  return found;
}

}  // namespace core::xla
