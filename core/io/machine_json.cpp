#include <fmt/format.h>

#include "core/io/value_json.h"

namespace core {
namespace {

constexpr std::pair<std::string_view, Topology> topologies[] = {
    {"ring", Topology::ring}, {"torus", Topology::torus}, {"switch", Topology::fullyConnected}};

Json figureJson(const Figure& figure) { return {{"value", figure.value}, {"source", figure.source}}; }

Figure readFigure(const JsonReader& reader, bool mayBeZero) {
  const JsonObject figure(reader, {"value", "source"});
  const double value = figure.at("value").finite();
  if (value < 0 || (value == 0 && !mayBeZero)) figure.at("value").refuse(fmt::format("{} is out of range", value), "above 0");
  return {value, figure.at("source").string()};
}

Json levelJson(const MachineLevel& level) {
  return {{"name", level.name},
          {"devices", level.devices},
          {"topology", nameOf<Topology>(level.topology, topologies)},
          {"bandwidth", figureJson(level.bandwidth)},
          {"latency", figureJson(level.latency)}};
}

MachineLevel readLevel(const JsonReader& reader) {
  const JsonObject level(reader, {"name", "devices", "topology", "bandwidth", "latency"});
  return {.name = level.at("name").name(),
          .devices = level.at("devices").size(),
          .topology = level.at("topology").oneOf<Topology>(topologies),
          .bandwidth = readFigure(level.at("bandwidth"), false),
          .latency = readFigure(level.at("latency"), true)};
}

std::map<DType, Figure> readPeak(const JsonReader& reader) {
  if (!reader.json().is_object()) reader.refuse("not an object", "a figure by type of number, such as \"f32\"");
  std::map<DType, Figure> peak;
  for (const auto& item : reader.json().items()) {
    const Json key = item.key();
    peak[readDType(JsonReader(key, reader, item.key()))] = readFigure(JsonReader(item.value(), reader, item.key()), false);
  }
  return peak;
}

std::vector<std::pair<double, double>> readEfficiency(const JsonReader& reader) {
  double before = 0;
  return reader.list([&](const JsonReader& item) {
    const auto pair = item.list([](const JsonReader& number) { return number.finite(); });
    if (pair.size() != 2) item.refuse(fmt::format("{} numbers", pair.size()), "flops and the share of the peak, such as [1e9, 0.7]");
    if (pair[0] <= before) item.refuse(fmt::format("{} flops", pair[0]), "ascending, above 0");
    if (!(pair[1] > 0 && pair[1] <= 1)) item.refuse(fmt::format("a share of {}", pair[1]), "above 0, at most 1");
    before = pair[0];
    return std::pair{pair[0], pair[1]};
  });
}

}  // namespace

Json machineJson(const Machine& machine) {
  Json levels = Json::array(), peak = Json::object(), efficiency = Json::array();
  for (const MachineLevel& level : machine.levels) levels.push_back(levelJson(level));
  for (const auto& [type, figure] : machine.peak) peak[std::string(toString(type))] = figureJson(figure);
  for (const auto& [flops, share] : machine.efficiency) efficiency.push_back({flops, share});
  Json json = {{"format", formatOf("meshwright.machine", 1)},
               {"name", machine.name},
               {"levels", std::move(levels)},
               {"peak", std::move(peak)},
               {"memory", figureJson(machine.memory)},
               {"memoryBandwidth", figureJson(machine.memoryBandwidth)},
               {"launch", figureJson(machine.launch)}};
  if (!machine.efficiency.empty()) json["efficiency"] = std::move(efficiency);
  return json;
}

Machine readMachine(const JsonReader& reader) {
  expectFormat(reader, "meshwright.machine", 1);
  const JsonObject object(reader, {"format", "name", "levels", "peak", "memory", "memoryBandwidth", "launch", "efficiency"});
  Machine machine{.name = object.at("name").name(),
                  .levels = object.at("levels").list(readLevel),
                  .peak = readPeak(object.at("peak")),
                  .memory = readFigure(object.at("memory"), false),
                  .memoryBandwidth = readFigure(object.at("memoryBandwidth"), false),
                  .launch = readFigure(object.at("launch"), true)};
  if (machine.levels.empty()) object.at("levels").refuse("no level", "at least one, the innermost first");
  if (auto efficiency = object.find("efficiency")) machine.efficiency = readEfficiency(*efficiency);
  std::int64_t devices = 1;
  for (const MachineLevel& level : machine.levels)
    if (__builtin_mul_overflow(devices, level.devices, &devices)) object.at("levels").refuse("more devices than 64 bits count");
  return machine;
}

}  // namespace core
