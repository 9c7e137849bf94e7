#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/mesh/machine.h"

// From measurements to the figures of a machine. Measuring itself needs ranks and kernels and is done elsewhere; this part is pure.

namespace core {

struct TimedBytes {
  double bytes = 0;
  double seconds = 0;
};

struct TimedFlops {
  double flops = 0;
  double seconds = 0;
};

struct LatencyAndBandwidth {
  double latency = 0;    // α, seconds
  double bandwidth = 0;  // 1/β, bytes per second
};

// seconds = latency + bytes / bandwidth, so that the relative errors are least in square: a message of 4 bytes counts as much as
// one of 64 MB. Error with fewer than two sizes, or when larger messages take no longer.
LatencyAndBandwidth fitLatencyAndBandwidth(std::span<const TimedBytes> samples);

// The peak is the best rate that was seen; beside it the share of it that each size reaches, sizes ascending.
struct PeakAndEfficiency {
  double peak = 0;
  std::vector<std::pair<double, double>> efficiency;
};
PeakAndEfficiency fitPeakAndEfficiency(std::span<const TimedFlops> samples);

// All that was measured on this machine.
struct Measurements {
  std::int64_t ranks = 1;                     // that the messages were exchanged among
  std::vector<TimedBytes> messages;           // point to point, bytes one way
  std::vector<TimedFlops> products;           // of f32
  std::vector<TimedFlops> doubleProducts;     // of f64; may be empty
  std::vector<TimedBytes> copies;             // bytes read and written
  double launchSeconds = 0;                   // an instruction on one element
  double memoryBytes = 0;                     // of one rank: the machine's over its ranks
  std::string when;                           // "2026-11-30"
};
Machine machineFrom(const Measurements& measured, const std::string& name);

}  // namespace core
