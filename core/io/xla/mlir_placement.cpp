#include <fmt/format.h>

#include <algorithm>

#include "core/io/xla/hlo_sharding.h"
#include "core/io/xla/mlir_parser.h"

namespace core::xla {
namespace {

const MlirAttribute* find(const MlirDictionary& attributes, const std::string& name) {
  auto found = attributes.find(name);
  return found == attributes.end() ? nullptr : &found->second;
}

}  // namespace

// {sdy.sharding = #sdy.sharding<...>}, {mhlo.sharding = "{devices=[2,1]<=[2]}"}, or what Shardy's round trip leaves:
// {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<...>"}}
MlirPlacement MlirReader::placement(const MlirDictionary& attributes) {
  MlirPlacement found;
  if (const MlirAttribute* sharding = find(attributes, "sdy.sharding")) found.shardings = sharding->shardings;
  if (const MlirAttribute* tiling = find(attributes, "mhlo.sharding"))
    if (const auto* text = std::get_if<std::string>(&tiling->value)) found.tiling = *text;
  const MlirAttribute* frontend = find(attributes, "mhlo.frontend_attributes");
  const MlirAttribute* inner = frontend && frontend->entries ? find(*frontend->entries, "xla.sdy.sharding") : nullptr;
  if (const auto* text = inner ? std::get_if<std::string>(&inner->value) : nullptr) {
    MlirReader reader(*text, scan.place(scan.position()));
    found.shardings = reader.attribute().shardings;
    for (MeshSharding& sharding : found.shardings) sharding.position = scan.position();
  }
  return found;
}

void MlirParser::place(int computation, const std::vector<int>& values, int result, const MlirPlacement& placement) {
  for (std::size_t i = 0; i < values.size() && i < placement.shardings.size(); ++i) {
    meshes_.use(placement.shardings[i]);
    placed_.push_back({computation, values[i], result, placement.shardings[i], {}, placement.shardings[i].position});
  }
  if (placement.shardings.empty() && !placement.tiling.empty() && values.size() == 1) placed_.push_back({computation, values[0], result, {}, placement.tiling, scan_.position()});
}

void MlirParser::keep(const Placed& placed, Sharding sharding) {
  Computation& computation = module_.computations[static_cast<std::size_t>(placed.computation)];
  const int value = placed.value >= 0 ? placed.value : computation.results[static_cast<std::size_t>(placed.result)];
  const std::size_t rank = computation.values[static_cast<std::size_t>(value)].type.sizes.size();
  if (sharding.axes.empty()) sharding.axes.resize(rank);
  if (sharding.axes.size() != rank) scan_.failAt(placed.position, fmt::format("a sharding of {} axes stands at a value of {}", sharding.axes.size(), rank));
  if (placed.value >= 0) {
    computation.values[static_cast<std::size_t>(value)].sharding = std::move(sharding);
  } else {
    computation.resultShardings.resize(computation.results.size());
    computation.resultShardings[static_cast<std::size_t>(placed.result)] = std::move(sharding);
  }
}

void MlirParser::resolveShardings() {
  meshes_.join();
  module_.mesh = meshes_.axes();
  if (module_.mesh.empty()) return resolveTilings();
  std::int64_t devices = 1;
  for (const Axis& axis : module_.mesh) devices *= axis.size;
  module_.partitions = std::max(module_.partitions, devices);
  for (const Placed& placed : placed_)
    if (std::optional<Sharding> sharding = placed.tiling.empty() ? meshes_.sharding(placed.sharding) : std::nullopt) keep(placed, std::move(*sharding));
}

// Shardings that know devices, but no axes of a mesh.
void MlirParser::resolveTilings() {
  std::vector<Placed> placed;
  std::vector<Tiling> tilings;
  for (const Placed& one : placed_) {
    if (one.tiling.empty()) continue;
    Scanner scan(one.tiling, scan_.place(one.position));
    const std::vector<Tiling> found = readTilings(scan);
    if (found.size() != 1) continue;
    placed.push_back(one);
    tilings.push_back(found[0]);
  }
  if (tilings.empty()) return;
  const MeshOf mesh(tilings, {}, module_.partitions);
  module_.mesh = mesh.axes();
  for (std::size_t i = 0; i < placed.size(); ++i) keep(placed[i], mesh.sharding(tilings[i]));
}

}  // namespace core::xla
