#pragma once

#include <vector>

#include "core/cost/cost.h"

// The trace that the model predicts. A device computes one instruction after the other; its collectives run beside that, one at a
// time, from `start` to the end that `wait` waits for. A collective begins when the slowest class of devices has reached it.
//
//   device 0   |compute 3 ms|compute 1 ms|wait 2 ms|          device 1   |compute 2 ms|.....
//   its links                |all-reduce 3 ms|                            |1 ms later: the same|

namespace core {

struct PredictedSpan {
  std::size_t instruction = 0;  // into DeviceCost::instructions
  double start = 0, end = 0;    // seconds from the begin of the step
  bool communication = false;   // on the links; else on the device. A `wait` is on the device: idle
};

struct PredictedTrace {
  Coordinate coordinate;     // the first device of the class
  std::int64_t devices = 0;
  std::vector<PredictedSpan> spans;
  double seconds = 0;        // when both are done
};

// One trace a class, in the order of cost.devices; empty without seconds. Spans that take no time are left out.
std::vector<PredictedTrace> simulate(const Cost& cost);

}  // namespace core
