#include "core/io/machine_json.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "core/base/text.h"
#include "core/io/file.h"
#include "core/io/json_print.h"
#include "core/io/json_reader.h"
#include "core/io/resources.h"

namespace core {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view format = "meshwright.machine";
constexpr std::array<std::pair<std::string_view, Topology>, 3> topologies{
    {{"ring", Topology::ring}, {"torus", Topology::torus}, {"switch", Topology::fullyConnected}}};

Figure figureFrom(const JsonReader& reader) {
  const JsonObject object(reader, {"value", "source"});
  return {object.at("value").finite(), object.at("source").name()};
}

MachineLevel levelFrom(const JsonReader& reader) {
  const JsonObject object(reader, {"name", "devices", "topology", "bandwidth", "latency"});
  return {.name = object.at("name").name(),
          .devices = object.at("devices").size(),
          .topology = object.at("topology").oneOf(Names<Topology>(topologies)),
          .bandwidth = figureFrom(object.at("bandwidth")),
          .latency = figureFrom(object.at("latency"))};
}

DType typeFrom(const std::string& key, const JsonReader& reader) {
  try {
    return parseDType(key);
  } catch (const Error& error) {
    reader.refuse(error.what, error.right);
  }
}

std::map<DType, Figure> peakFrom(const JsonReader& reader) {
  if (!reader.json().is_object()) reader.refuse("not an object", "{\"f32\": {\"value\": ..., \"source\": ...}}");
  std::map<DType, Figure> peak;
  for (const auto& [key, value] : reader.json().items()) {
    const JsonReader child(value, reader, key);
    peak[typeFrom(key, child)] = figureFrom(child);
  }
  return peak;
}

std::pair<double, double> sampleFrom(const JsonReader& reader) {
  const JsonObject object(reader, {"flops", "share"});
  return {object.at("flops").finite(), object.at("share").finite()};
}

Json json(const Figure& figure) { return Json{{"value", numberJson(figure.value)}, {"source", figure.source}}; }

Json json(const MachineLevel& level) {
  return Json{{"name", level.name},
              {"devices", level.devices},
              {"topology", nameOf(level.topology, Names<Topology>(topologies))},
              {"bandwidth", json(level.bandwidth)},
              {"latency", json(level.latency)}};
}

// The person's own machines hide those that come with the program.
std::vector<fs::path> folders() { return {fs::path(userFolder()) / "machines", fs::path(resourceFolder()) / "machines"}; }

}  // namespace

Machine machineFromJson(std::string_view text, const std::string& where) {
  const Json parsed = parseJson(text, where);
  const JsonReader reader(parsed, where);
  expectFormat(reader, format, 1);
  const JsonObject object(reader, {"format", "name", "levels", "peak", "memory", "memoryBandwidth", "launch", "efficiency"});
  Machine machine{.name = object.at("name").name(),
                  .levels = object.at("levels").list(levelFrom),
                  .peak = peakFrom(object.at("peak")),
                  .memory = figureFrom(object.at("memory")),
                  .memoryBandwidth = figureFrom(object.at("memoryBandwidth")),
                  .launch = figureFrom(object.at("launch")),
                  .efficiency = {}};
  if (const auto efficiency = object.find("efficiency")) machine.efficiency = efficiency->list(sampleFrom);
  const std::vector<Diagnostic> found = check(machine);
  if (!found.empty()) throw Error{.what = found.front().what, .where = where, .right = found.front().right};
  return machine;
}

std::string toJson(const Machine& machine) {
  Json levels = Json::array();
  for (const MachineLevel& level : machine.levels) levels.push_back(json(level));
  Json peak = Json::object();
  for (const auto& [type, figure] : machine.peak) peak[std::string(toString(type))] = json(figure);
  Json out{{"format", formatOf(format, 1)}, {"name", machine.name}, {"levels", levels}, {"peak", peak},
           {"memory", json(machine.memory)}, {"memoryBandwidth", json(machine.memoryBandwidth)}, {"launch", json(machine.launch)}};
  if (!machine.efficiency.empty()) {
    Json samples = Json::array();
    for (const auto& [flops, share] : machine.efficiency) samples.push_back(Json{{"flops", flops}, {"share", share}});
    out["efficiency"] = samples;
  }
  return printJson(out);
}

void writeMachine(const Machine& machine, const std::string& path) { writeTextAtomically(path, toJson(machine)); }

std::vector<std::string> machineNames() {
  std::set<std::string> names;
  for (const fs::path& folder : folders()) {
    std::error_code missing;
    for (const auto& entry : fs::directory_iterator(folder, missing))
      if (entry.path().extension() == ".json") names.insert(entry.path().stem());
  }
  return {names.begin(), names.end()};
}

Machine readMachine(const std::string& nameOrFile) {
  std::error_code missing;
  if (nameOrFile.find('/') == std::string::npos)
    for (const fs::path& folder : folders()) {
      const fs::path path = folder / (nameOrFile + ".json");
      if (fs::is_regular_file(path, missing)) return machineFromJson(readText(path), path);
    }
  if (fs::exists(nameOrFile, missing)) return machineFromJson(readText(nameOrFile), nameOrFile);
  if (nameOrFile.find('/') != std::string::npos || nameOrFile.ends_with(".json"))
    throw Error{.what = "there is no such machine file", .where = nameOrFile, .right = "a file, or a name that `machines` lists"};
  throw Error{.what = "unknown machine \"" + nameOrFile + "\"", .where = {}, .right = didYouMean(nameOrFile, machineNames())};
}

}  // namespace core
