#include "core/io/xla/mlir_scopes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace core::xla {

int MlirScopes::open(std::string name, bool isolated) {
  const auto index = static_cast<int>(module_.computations.size());
  module_.computations.push_back({.name = std::move(name)});
  scopes_.push_back({.computation = index, .isolated = isolated});
  return index;
}

MlirRegion MlirScopes::close() {
  MlirRegion closed{scopes_.back().computation, std::move(scopes_.back().captured)};
  scopes_.pop_back();
  return closed;
}

int MlirScopes::add(int computation, Value value) {
  std::vector<Value>& values = module_.computations[static_cast<std::size_t>(computation)].values;
  values.push_back(std::move(value));
  return static_cast<int>(values.size()) - 1;
}

std::optional<MlirScopes::Found> MlirScopes::find(const std::string& name) const {
  for (std::size_t i = scopes_.size(); i-- > 0;) {
    if (auto found = scopes_[i].names.find(name); found != scopes_[i].names.end()) return Found{i, found->second};
    if (scopes_[i].isolated) break;
  }
  return std::nullopt;
}

std::vector<int> MlirScopes::define(const std::string& name, const std::vector<Type>& types, std::size_t position) {
  if (find(name)) scan_.failAt(position, fmt::format("the value %{} is made twice", name), "a name of its own for each");
  std::vector<int> made;
  for (std::size_t i = 0; i < types.size(); ++i) made.push_back(add(index(), {.name = types.size() == 1 ? name : fmt::format("{}#{}", name, i), .type = types[i]}));
  scopes_.back().names[name] = {made.empty() ? 0 : made[0], made.size()};
  return made;
}

int MlirScopes::use(const std::string& name, std::size_t number, std::size_t position) {
  const std::optional<Found> found = find(name);
  if (!found) scan_.failAt(position, fmt::format("nothing makes the value %{}", name), "a value that an argument or an earlier line makes");
  if (number >= found->named.count) scan_.failAt(position, fmt::format("%{} has {} values, no {}", name, found->named.count, number));
  int value = found->named.first + static_cast<int>(number);
  for (std::size_t i = found->scope + 1; i < scopes_.size(); ++i) {
    Scope& inner = scopes_[i];
    auto [own, added] = inner.own.emplace(value, 0);
    if (added) {
      const Value outer = module_.computations[static_cast<std::size_t>(scopes_[i - 1].computation)].values[static_cast<std::size_t>(value)];
      own->second = add(inner.computation, {.name = outer.name, .type = outer.type});
      inner.captured.emplace_back(value, own->second);
    }
    value = own->second;
  }
  return value;
}

std::vector<int> MlirScopes::join(const std::vector<MlirRegion>& regions) {
  std::vector<int> captured;
  for (const MlirRegion& region : regions)
    for (auto [outer, own] : region.captured)
      if (std::find(captured.begin(), captured.end(), outer) == captured.end()) captured.push_back(outer);
  for (const MlirRegion& region : regions) {
    const std::unordered_map<int, int> owns(region.captured.begin(), region.captured.end());
    for (int outer : captured) {
      auto own = owns.find(outer);
      const Value& value = here().values[static_cast<std::size_t>(outer)];
      const int parameter = own != owns.end() ? own->second : add(region.computation, {.name = value.name, .type = value.type});
      module_.computations[static_cast<std::size_t>(region.computation)].parameters.push_back(parameter);
    }
  }
  return captured;
}

}  // namespace core::xla
