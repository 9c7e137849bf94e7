#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/graph/dtype.h"
#include "core/mesh/mesh.h"

namespace core {

// A figure and where it is from: "published: NVIDIA H100 datasheet", "measured 2026-11-30".
struct Figure {
  double value = 0;
  std::string source;
  bool operator==(const Figure&) const = default;
};

enum class Topology : std::uint8_t { ring, torus, fullyConnected };  // "ring", "torus", "switch" in files

// Levels from the innermost; ranks fill them in order: 8 devices on NVLink, then hosts on InfiniBand.
struct MachineLevel {
  std::string name;
  std::int64_t devices = 1;              // how many units of the level below it joins
  Topology topology = Topology::fullyConnected;
  Figure bandwidth;                      // bytes per second, one direction, one device
  Figure latency;                        // seconds a message
  bool operator==(const MachineLevel&) const = default;
};

struct Machine {
  std::string name;
  std::vector<MachineLevel> levels;
  std::map<DType, Figure> peak;          // flops per second by type
  Figure memory;                         // bytes a device
  Figure memoryBandwidth;                // bytes per second
  Figure launch;                         // seconds an instruction costs beside its work
  std::vector<std::pair<double, double>> efficiency;  // (flops of one product, share of peak), ascending; empty = 1
  bool operator==(const Machine&) const = default;
};

// What is wrong with a machine: figures that are not positive, no source, no levels. Empty when it can price a program.
std::vector<Diagnostic> check(const Machine& machine);

// A mesh of more devices than the machine has is priced as if its outermost level were larger: a warning.
std::optional<Diagnostic> check(const Mesh& mesh, const Machine& machine);

std::int64_t devices(const Machine& machine);              // product of the levels
double peakOf(const Machine& machine, DType type);         // a type without a figure has f32's
double efficiencyOf(const Machine& machine, double flops); // straight lines over log(flops) between the samples

// How many devices the levels below `level` join: the distance in ranks between neighbours there.
std::int64_t strideOf(const Machine& machine, std::size_t level);

// Named machines: those of resources/machines and those of the person's own folder ("this-machine"), which come first.
// Read in core/io/machine_files.cpp.
Machine readMachine(const std::string& nameOrFile);  // a name or a path; Error listing the known names
std::vector<std::string> machineNames();

}  // namespace core
