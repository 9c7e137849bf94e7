#include "core/io/cost_json.h"

#include <fmt/format.h>

#include "core/io/json_print.h"
#include "core/io/memory_json.h"
#include "core/io/value_json.h"

namespace core {
namespace {

// Without a machine there are no seconds: the key is absent, never 0.
void putSeconds(Json& json, const char* key, const std::optional<double>& seconds) {
  if (seconds) json[key] = *seconds;
}

Json trafficJson(const AxisTraffic& traffic, const Mesh& mesh) {
  Json json = {{"axes", axesJson(traffic.axes, mesh)},
               {"collective", toString(traffic.kind)},
               {"calls", traffic.calls},
               {"payloadBytes", traffic.payloadBytes},
               {"wireBytes", traffic.wireBytes}};
  putSeconds(json, "seconds", traffic.seconds);
  return json;
}

Json instructionJson(const PricedInstruction& priced) {
  Json json = {{"name", priced.name()}, {"kind", toString(priced.instruction->kind)}, {"iteration", priced.iteration}};
  put(json, "flops", priced.cost.flops, std::int64_t{0});
  put(json, "bytesIn", priced.cost.bytesIn, std::int64_t{0});
  put(json, "bytesOut", priced.cost.bytesOut, std::int64_t{0});
  put(json, "wireBytes", priced.cost.wireBytes, std::int64_t{0});
  put(json, "bytesTouched", priced.cost.bytesTouched, std::int64_t{0});
  putSeconds(json, "seconds", priced.cost.seconds);
  return json;
}

Json deviceJson(const DeviceCost& device, const Mesh& mesh) {
  Json traffic = Json::array(), instructions = Json::array();
  for (const AxisTraffic& one : device.traffic) traffic.push_back(trafficJson(one, mesh));
  for (const PricedInstruction& one : device.instructions) instructions.push_back(instructionJson(one));
  Json json = {{"coordinate", device.coordinate}, {"devices", device.devices},   {"peak", memoryJson(device.peak)},
               {"peakInstruction", device.peakInstruction}, {"flops", device.flops}, {"bytesIn", device.bytesIn},
               {"bytesOut", device.bytesOut},     {"wireBytes", device.wireBytes}};
  putSeconds(json, "computeSeconds", device.computeSeconds);
  putSeconds(json, "communicationSeconds", device.communicationSeconds);
  putSeconds(json, "stepSeconds", device.stepSeconds);
  json["traffic"] = std::move(traffic);
  json["instructions"] = std::move(instructions);
  return json;
}

}  // namespace

std::string printEstimateJson(const Analysis& analysis) {
  const Variant& variant = analysis.plan->variants[analysis.variant];
  const Cost& cost = *analysis.cost;
  Json devices = Json::array();
  for (const DeviceCost& device : cost.devices) devices.push_back(deviceJson(device, variant.mesh));
  Json json = {{"format", formatOf("meshwright.estimate", 1)},
               {"plan", analysis.plan->name},
               {"variant", variant.name},
               {"mesh", meshJson(variant.mesh)},
               {"rules", rulesJson(variant.layout.rules)},
               {"step", variant.step.training ? "training" : "inference"}};
  if (analysis.machine) json["machine"] = analysis.machine->name;
  json["notes"] = analysis.notes;
  json["arenaBytes"] = cost.arenaBytes;
  json["paddingBytes"] = cost.paddingBytes;
  json["usefulFlops"] = cost.usefulFlops;
  json["redundantFlops"] = cost.redundantFlops;
  if (cost.memoryLimit) json["memoryLimit"] = *cost.memoryLimit;
  json["fits"] = cost.fits();
  if (!cost.devices.empty()) putSeconds(json, "stepSeconds", cost.devices.front().stepSeconds);
  json["devices"] = std::move(devices);
  return printJson(json);
}

std::string printEstimateCsv(const Analysis& analysis) {
  std::string text = "order,kind,name,iteration,flops,bytesIn,bytesOut,wireBytes,bytesTouched,seconds\n";
  std::size_t order = 0;
  for (const PricedInstruction& one : analysis.cost->devices.at(0).instructions) {
    std::string name = one.name();
    for (std::size_t at = 0; (at = name.find('"', at)) != std::string::npos; at += 2) name.insert(at, 1, '"');
    text += fmt::format("{},{},\"{}\",{},{},{},{},{},{},{}\n", order++, toString(one.instruction->kind), name, one.iteration, one.cost.flops, one.cost.bytesIn, one.cost.bytesOut,
                        one.cost.wireBytes, one.cost.bytesTouched, one.cost.seconds ? fmt::format("{}", *one.cost.seconds) : "");
  }
  return text;
}

}  // namespace core
