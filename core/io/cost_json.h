#pragma once

#include <string>

#include "core/plan/analyze.h"

// An estimate for programs that read it: bytes, flops and seconds, of every class of devices with equal figures.

namespace core {

std::string printEstimateJson(const Analysis& analysis);

// A line an instruction of the fullest device: step order, kind, name, flops, bytes in and out, wire bytes, bytes touched, seconds.
std::string printEstimateCsv(const Analysis& analysis);

}  // namespace core
