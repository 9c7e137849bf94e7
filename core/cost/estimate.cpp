#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/base/checked.h"
#include "core/base/labels.h"
#include "core/cost/classes.h"
#include "core/cost/cost.h"
#include "core/cost/memory.h"
#include "core/cost/price.h"
#include "core/cost/simulate.h"
#include "core/spmd/walk.h"

namespace core {
namespace {

bool communicates(const Instruction& one) { return one.kind == InstructionKind::start || one.kind == InstructionKind::control; }

AxisTraffic& trafficOf(DeviceCost& device, const Program& program, const Instruction& one) {
  AxisList axes = one.collective.axes;
  CollectiveKind kind = one.collective.kind;
  if (one.kind == InstructionKind::control) {
    axes = {};
    kind = CollectiveKind::allReduce;
    for (AxisId axis = 0; axis < program.mesh.axes.size(); ++axis) axes.push_back(axis);
  }
  for (AxisTraffic& known : device.traffic)
    if (known.axes == axes && known.kind == kind) return known;
  device.traffic.push_back({.axes = axes, .kind = kind, .seconds = {}});
  return device.traffic.back();
}

void addSeconds(std::optional<double>& to, const std::optional<double>& seconds) {
  if (seconds) to = to.value_or(0) + *seconds;
}

void addTraffic(DeviceCost& device, const Program& program, const Instruction& one, const InstructionCost& cost) {
  AxisTraffic& traffic = trafficOf(device, program, one);
  ++traffic.calls;
  traffic.payloadBytes = checkedSum(traffic.payloadBytes, cost.bytesIn);
  traffic.wireBytes = checkedSum(traffic.wireBytes, cost.wireBytes);
  addSeconds(traffic.seconds, cost.seconds);
}

void add(DeviceCost& device, const Program& program, const Instruction& one, std::int64_t iteration, const Instruction* repeat, const InstructionCost& cost) {
  device.instructions.push_back({&one, iteration, cost, repeat});
  device.flops = checkedSum(device.flops, cost.flops);
  device.bytesIn = checkedSum(device.bytesIn, cost.bytesIn);
  device.bytesOut = checkedSum(device.bytesOut, cost.bytesOut);
  device.wireBytes = checkedSum(device.wireBytes, cost.wireBytes);
  if (communicates(one)) addTraffic(device, program, one, cost);
  addSeconds(communicates(one) ? device.communicationSeconds : device.computeSeconds, cost.seconds);
}

// A body is priced once: its iterations have equal shapes. But a new value may lie in its state's bytes in some of them only.
DeviceCost priceAll(const Program& program, const Coordinate& at, const Machine* machine) {
  DeviceCost device{.coordinate = at, .devices = 1};
  if (machine) device.computeSeconds = device.communicationSeconds = 0;
  std::unordered_map<const Instruction*, InstructionCost> known;
  walk(program, [&](const Instruction& one, std::int64_t iteration, const Views& views) {
    const auto [found, isNew] = known.try_emplace(&one);
    if (isNew || one.kind == InstructionKind::update) found->second = price(program, one, at, machine, &views);
    add(device, program, one, iteration, views.repeat(), found->second);
  });
  return device;
}

void addMemory(DeviceCost& device, const Program& program, const MemoryUse& use) {
  device.peak = use.peak;
  device.peakInstruction = use.at;
  device.memory = use.after;
  device.paddingBytes = paddingBytes(program, use.live, device.coordinate);
}

std::int64_t wholeFlops(const Program& program) {
  std::int64_t flops = 0;
  for (const Instruction& one : program.instructions) flops = checkedSum(flops, wholeFlops(program, one));
  return flops;
}

void addTotals(Cost& cost, const Program& program) {
  cost.usefulFlops = wholeFlops(program);
  cost.redundantFlops = -cost.usefulFlops;
  for (const DeviceCost& device : cost.devices) {
    cost.redundantFlops = checkedSum(cost.redundantFlops, checkedProduct(device.devices, device.flops));
    cost.paddingBytes = std::max(cost.paddingBytes, device.paddingBytes);
  }
}

}  // namespace

std::string PricedInstruction::name() const {
  return repeat ? withLabels(instruction->name, repeat->labels, static_cast<std::size_t>(iteration)) : instruction->name;
}

bool Cost::fits() const { return !memoryLimit || arenaBytes <= *memoryLimit; }

std::optional<double> Cost::stepSeconds() const {
  std::optional<double> slowest;
  for (const DeviceCost& device : devices)
    if (device.stepSeconds && (!slowest || *device.stepSeconds > *slowest)) slowest = device.stepSeconds;
  return slowest;
}

DeviceCost costOf(const Program& program, const Coordinate& at, const Machine* machine) {
  DeviceCost device = priceAll(program, at, machine);
  addMemory(device, program, memoryUse(program));
  return device;
}

Cost estimate(const Program& program, const Machine* machine) {
  Cost cost;
  const MemoryUse use = memoryUse(program);
  for (const CoordinateClass& one : coordinateClasses(program)) {
    DeviceCost device = priceAll(program, one.first, machine);
    device.devices = one.devices;
    addMemory(device, program, use);
    cost.devices.push_back(std::move(device));
  }
  std::stable_sort(cost.devices.begin(), cost.devices.end(), [](const DeviceCost& a, const DeviceCost& b) { return a.flops > b.flops; });
  addTotals(cost, program);
  cost.arenaBytes = std::max(program.arenaBytes, use.peak.total());
  if (machine) cost.memoryLimit = static_cast<std::int64_t>(machine->memory.value);
  const std::vector<PredictedTrace> traces = simulate(cost);
  for (std::size_t i = 0; i < traces.size(); ++i) cost.devices[i].stepSeconds = traces[i].seconds;
  return cost;
}

}  // namespace core
