#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/mesh/machine.h"
#include "core/spmd/program.h"

// What a step costs a device, a pure function of (Program, coordinate, Machine).
// flops by valid extents; bytes and memory by padded local shapes; redistribute by its index sets.

namespace core {

struct InstructionCost {
  std::int64_t flops = 0;
  std::int64_t bytesIn = 0;    // collective: payload handed to the call
  std::int64_t bytesOut = 0;   // ... and received from it; padding included
  std::int64_t bytesTouched = 0;  // compute: read and written
  std::int64_t wireBytes = 0;  // modelled: what the device sends in the usual algorithm, in chunks of ceil(elements/n)
  std::optional<double> seconds;  // none without a machine
  bool operator==(const InstructionCost&) const = default;
};

// Flat, in order of execution; a repeat's body stands once for each iteration.
struct PricedInstruction {
  const Instruction* instruction = nullptr;
  std::int64_t iteration = 0;   // of the repeat that holds it
  InstructionCost cost;
  const Instruction* repeat = nullptr;
  std::string name() const;     // in that iteration: its layer's own
};

struct AxisTraffic {
  AxisList axes;
  CollectiveKind kind = CollectiveKind::allReduce;
  std::int64_t calls = 0;
  std::int64_t payloadBytes = 0;  // in
  std::int64_t wireBytes = 0;
  std::optional<double> seconds;
};

struct MemoryAt {
  std::array<std::int64_t, memoryClasses> bytes{};  // by MemoryClass
  std::int64_t total() const;
};

// The cost of one coordinate: all devices with equal extents share it.
struct DeviceCost {
  Coordinate coordinate;         // the first device of the class
  std::int64_t devices = 0;      // how many share these figures
  std::vector<PricedInstruction> instructions;
  std::int64_t flops = 0;
  std::int64_t bytesIn = 0, bytesOut = 0, wireBytes = 0;
  std::vector<AxisTraffic> traffic;  // in the order in which the program first uses them
  MemoryAt peak;                 // by class at the moment of the peak
  std::string peakInstruction;   // where it is; empty: at the start
  std::int64_t paddingBytes = 0; // of the buffers that are there at the peak, allocated beyond this device's valid extents
  std::vector<MemoryAt> memory;  // after each of `instructions`
  std::optional<double> computeSeconds, communicationSeconds;  // busy with either
  std::optional<double> stepSeconds;                           // from the step's begin to its end, waiting included (simulate.h)
};

struct Cost {
  std::vector<DeviceCost> devices;  // classes: most flops first, then in order of their first devices
  std::int64_t arenaBytes = 0;      // allocated: peak and what the offsets leave unused
  std::int64_t paddingBytes = 0;    // of the device that has most of it
  std::int64_t redundantFlops = 0;  // done by more than one device, all devices together
  std::int64_t usefulFlops = 0;     // of one device running all alone
  std::optional<std::int64_t> memoryLimit;  // of the machine
  bool fits() const;                // the arena in the memory; true without a limit
  std::optional<double> stepSeconds() const;  // of the slowest device
};

// Evaluates price() once per class of devices. Without a machine: no seconds. Error when a figure does not fit 64 bits.
Cost estimate(const Program& program, const Machine* machine);

// What the device at a coordinate does, exactly, whatever its class.
DeviceCost costOf(const Program& program, const Coordinate& at, const Machine* machine);

}  // namespace core
