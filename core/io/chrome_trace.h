#pragma once

#include <string>

#include "core/run/trace.h"

namespace core {

// The trace as Perfetto and chrome://tracing read it: a process a rank, microseconds, payload and flops as arguments.
std::string printChromeTrace(const Trace& trace, const std::string& title);

}  // namespace core
