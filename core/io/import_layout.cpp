#include "core/io/import_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace core {
namespace {

using positional::Model;
using positional::Value;

std::int64_t sizeOf(const Model& model, const std::string& axis) {
  for (const MeshAxis& one : model.mesh)
    if (one.name == axis) return one.size;
  return 1;
}

// The axes over the leaves of one axis; nothing where a leaf would be cut unevenly before the last.
std::optional<std::vector<Rule>> spread(const Model& model, const naming::Names& names, const Emission& emission, const naming::Axis& axis, const std::vector<std::string>& over) {
  std::vector<Rule> rules;
  const naming::Axis leaves = names.atoms.leaves(axis);
  std::size_t next = 0;
  for (std::size_t i = 0; i < leaves.size() && next < over.size(); ++i) {
    const std::int64_t size = names.atoms.size(leaves[i]);
    std::int64_t parts = 1;
    std::vector<std::string> mine;
    for (; next < over.size() && parts < size; ++next) {
      parts *= sizeOf(model, over[next]);
      if (size % parts != 0 && leaves.size() > 1) return std::nullopt;
      mine.push_back(over[next]);
    }
    const auto dim = emission.dims.find(leaves[i]);
    if (dim == emission.dims.end()) return std::nullopt;
    if (!mine.empty()) rules.push_back({emission.graph[dim->second].name, std::move(mine)});
  }
  if (next < over.size()) return std::nullopt;
  return rules;
}

}  // namespace

FileLayout layoutOf(const Model& model, const naming::Names& names, const Emission& emission, std::vector<std::string>& notes) {
  FileLayout found;
  for (const MeshAxis& axis : model.mesh) found.mesh.axes.push_back({axis.name, axis.size});
  std::map<std::string, Pin> pins;
  std::int64_t unsaid = 0, twice = 0;
  for (std::size_t v = 0; v < model.values.size(); ++v) {
    const Value& value = model.values[v];
    if (!value.sharding || !emission.tensors[v].valid() || !names.axes[v]) continue;
    Pin pin{.tensor = emission.graph[emission.tensors[v]].name, .dims = {}};
    bool said = true;
    for (std::size_t i = 0; i < value.sharding->size(); ++i) {
      std::optional<std::vector<Rule>> rules = spread(model, names, emission, names.axes[v]->at(i), (*value.sharding)[i]);
      if (!rules) said = false;
      else pin.dims.insert(pin.dims.end(), rules->begin(), rules->end());
    }
    if (!said) {
      ++unsaid;
      continue;
    }
    const auto [old, fresh] = pins.emplace(pin.tensor, pin);
    if (!fresh && old->second != pin) ++twice;
    if (fresh) found.layout.pins.push_back(std::move(pin));
  }
  if (!found.layout.pins.empty()) notes.push_back(fmt::format("{} shardings of the file are pins, on its mesh of {}", found.layout.pins.size(), print(found.mesh)));
  if (unsaid > 0) notes.push_back(fmt::format("{} shardings of the file cut dimensions where no pin can, and are left out", unsaid));
  if (twice > 0) notes.push_back(fmt::format("{} shardings of the file are of tensors that have another one, and are left out", twice));
  return found;
}

}  // namespace core
