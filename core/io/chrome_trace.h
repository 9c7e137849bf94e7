#pragma once

#include <string>

#include "core/cost/cost.h"
#include "core/run/trace.h"

// Traces as Perfetto and chrome://tracing read them: microseconds, payload and flops as arguments.

namespace core {

std::string printChromeTrace(const Trace& trace, const std::string& title);  // measured: a process a rank

// Predicted, of one step: a process a class of devices with equal figures, its links beside it. Error without seconds.
std::string printChromeTrace(const Cost& cost, const Mesh& mesh, const std::string& title);

}  // namespace core
