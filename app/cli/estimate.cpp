#include <fmt/format.h>

#include <memory>

#include "app/cli/plan_options.h"
#include "app/cli/table.h"
#include "app/cli/verbs.h"
#include "core/base/units.h"
#include "core/io/cost_json.h"

namespace app {
namespace {

using core::bytesText;
using Side = Table::Side;

struct Options {
  PlanOptions plan;
  bool json = false, csv = false;
};

std::string seconds(const std::optional<double>& value) { return value ? core::secondsText(*value) : "-"; }

std::string devicesText(std::int64_t devices) { return devices == 1 ? "1 device" : fmt::format("{} devices", core::countText(devices)); }

std::string coordinateText(const core::Coordinate& coordinate, const core::Mesh& mesh) {
  std::string text;
  for (std::size_t i = 0; i < coordinate.size(); ++i) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", mesh.axes[i].name, coordinate[i]);
  return text.empty() ? "the device" : text;
}

void printMemory(const core::Cost& cost, const core::DeviceCost& device) {
  Table table({"", ""}, {Side::left, Side::right});
  for (std::size_t i = 0; i < core::memoryClasses; ++i)
    table.row({std::string(core::toString(static_cast<core::MemoryClass>(i))), bytesText(device.peak.bytes[i])});
  table.row({"peak", bytesText(device.peak.total())});
  table.row({"allocated", bytesText(cost.arenaBytes)});
  fmt::print("Memory of a device, at the peak in {}\n{}", device.peakInstruction.empty() ? "the step" : device.peakInstruction, table.text());
  if (!cost.memoryLimit) return;
  const std::int64_t over = cost.arenaBytes - *cost.memoryLimit;
  fmt::print("  {}\n", cost.fits() ? fmt::format("fits in {}", bytesText(*cost.memoryLimit)) : fmt::format("over by {} of {}", bytesText(over), bytesText(*cost.memoryLimit)));
}

void printTraffic(const core::DeviceCost& device, const core::Mesh& mesh) {
  Table table({"axes", "collective", "calls", "handed over", "on the wire", "time"}, {Side::left, Side::left, Side::right, Side::right, Side::right, Side::right});
  for (const core::AxisTraffic& one : device.traffic) {
    std::string axes;
    for (core::AxisId axis : one.axes) axes += (axes.empty() ? "" : ",") + mesh.axes[axis].name;
    table.row({axes.empty() ? "all" : axes, std::string(core::toString(one.kind)), core::countText(one.calls), bytesText(one.payloadBytes), bytesText(one.wireBytes), seconds(one.seconds)});
  }
  if (table.empty())
    fmt::print("Communication of a device in a step: none\n");
  else
    fmt::print("Communication of a device in a step\n{}", table.text());
}

void printClasses(const core::Cost& cost, const core::Mesh& mesh) {
  if (cost.devices.size() < 2) return;
  Table table({"devices", "the first", "peak memory", "compute", "bytes in", "bytes out"}, {Side::right, Side::left, Side::right, Side::right, Side::right, Side::right});
  for (const core::DeviceCost& one : cost.devices)
    table.row({core::countText(one.devices), coordinateText(one.coordinate, mesh), bytesText(one.peak.total()), core::flopsText(static_cast<double>(one.flops)), bytesText(one.bytesIn), bytesText(one.bytesOut)});
  fmt::print("Kinds of devices: uneven sizes make their shares differ\n{}", table.text());
}

void printForPeople(const ChosenPlan& chosen, const core::Analysis& analysis) {
  const core::Cost& cost = *analysis.cost;
  const core::Mesh& mesh = chosen.chosen().mesh;
  const core::DeviceCost& device = cost.devices.front();
  fmt::print("{}\n", describe(chosen));
  fmt::print("Figures are those of {}: {} with the highest peak of memory\n\n", coordinateText(device.coordinate, mesh), devicesText(device.devices));
  printMemory(cost, device);
  fmt::print("  padding {}: allocated beyond what uneven sizes use\n\n", bytesText(cost.paddingBytes));
  printTraffic(device, mesh);
  fmt::print("\nCompute of a device in a step: {}\n", core::flopsText(static_cast<double>(device.flops)));
  fmt::print("  of all devices together: {} useful, {} done more than once\n", core::flopsText(static_cast<double>(cost.usefulFlops)), core::flopsText(static_cast<double>(cost.redundantFlops)));
  if (device.stepSeconds)
    fmt::print("\nStep: {} on {}, modelled: compute {}, communication {}\n", seconds(device.stepSeconds), analysis.machine->name, seconds(device.computeSeconds), seconds(device.communicationSeconds));
  else
    fmt::print("\nStep: no time without a machine; --machine NAME gives one, `machines` lists them\n");
  if (cost.devices.size() > 1) fmt::print("\n");
  printClasses(cost, mesh);
}

int printEstimate(const Options& options) {
  if (options.json && options.csv) throw core::Error{.what = "--json and --csv", .where = "estimate", .right = "one of them"};
  const ChosenPlan chosen = choose(options.plan);
  const core::Analysis analysis = analyzeOrRefuse(chosen);
  printNotes(chosen, analysis);
  if (options.json)
    fmt::print("{}", core::printEstimateJson(analysis));
  else if (options.csv)
    fmt::print("{}", core::printEstimateCsv(analysis));
  else
    printForPeople(chosen, analysis);
  return done;
}

std::function<int()> declareEstimate(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  declare(arguments, options->plan);
  arguments.flag("--json", options->json, "every figure, of every instruction, as JSON");
  arguments.flag("--csv", options->csv, "a line an instruction");
  return [options] { return printEstimate(*options); };
}

}  // namespace

Verb estimateVerb() { return {"estimate", "Says what one step costs each device: memory, communication, compute, time.", declareEstimate}; }

}  // namespace app
