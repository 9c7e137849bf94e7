#include <fmt/format.h>

#include <memory>

#include "app/cli/table.h"
#include "app/cli/verbs.h"
#include "core/base/units.h"
#include "core/io/json_print.h"
#include "core/io/value_json.h"
#include "core/mesh/machine.h"

namespace app {
namespace {

using core::Json;

struct Options {
  std::string name;
  bool json = false;
};

std::string peakText(const core::Machine& machine) {
  std::string text;
  for (const auto& [type, figure] : machine.peak) text += fmt::format("{}{} {:.4g} Tflop/s", text.empty() ? "" : ", ", core::toString(type), figure.value / 1e12);
  return text;
}

std::string levelsText(const core::Machine& machine) {
  std::string text;
  for (const core::MachineLevel& level : machine.levels)
    text += fmt::format("{}{} x {} {}", text.empty() ? "" : ", ", level.devices, level.name, core::rateText(level.bandwidth.value));
  return text;
}

int list(bool json) {
  Json all = Json::array();
  Table table({"name", "machine", "memory", "levels, innermost first", "peak"}, {Table::Side::left, Table::Side::left, Table::Side::right, Table::Side::left, Table::Side::left});
  for (const std::string& name : core::machineNames()) {
    const core::Machine machine = core::readMachine(name);
    all.push_back({{"name", name}, {"machine", core::machineJson(machine)}});
    table.row({name, machine.name, core::bytesText(static_cast<std::int64_t>(machine.memory.value)), levelsText(machine), peakText(machine)});
  }
  fmt::print("{}", json ? core::printJson({{"format", "meshwright.machines/1"}, {"machines", std::move(all)}}) : table.text(""));
  return done;
}

int show(const std::string& name, bool json) {
  const core::Machine machine = core::readMachine(name);
  if (json) {
    fmt::print("{}", core::printJson(core::machineJson(machine)));
    return done;
  }
  Table table({"figure", "value", "source"}, {Table::Side::left, Table::Side::right, Table::Side::left});
  for (const core::MachineLevel& level : machine.levels) {
    const std::string title = fmt::format("{}, {} devices: ", level.name, level.devices);
    table.row({title + "bandwidth one way", core::rateText(level.bandwidth.value), level.bandwidth.source});
    table.row({title + "latency", core::secondsText(level.latency.value), level.latency.source});
  }
  for (const auto& [type, figure] : machine.peak) table.row({fmt::format("peak {}", core::toString(type)), fmt::format("{:.4g} Tflop/s", figure.value / 1e12), figure.source});
  table.row({"memory", core::bytesText(static_cast<std::int64_t>(machine.memory.value)), machine.memory.source});
  table.row({"memory bandwidth", core::rateText(machine.memoryBandwidth.value), machine.memoryBandwidth.source});
  table.row({"launch", core::secondsText(machine.launch.value), machine.launch.source});
  fmt::print("{}\n{}", machine.name, table.text());
  return done;
}

std::function<int()> declareMachines(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.optionalPositional("name", options->name, "show one machine, a name or a file, with the source of each figure");
  arguments.flag("--json", options->json, "the machines as JSON");
  return [options] { return options->name.empty() ? list(options->json) : show(options->name, options->json); };
}

}  // namespace

Verb machinesVerb() { return {"machines", "Lists the machines that time can be estimated for.", declareMachines}; }

}  // namespace app
