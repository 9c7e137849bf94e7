#pragma once

#include "executor/kernels/kernel.h"

namespace executor {

// Reductions of what windows see, in f32 and f64: sums and extremes through a window, sums against it, how often a value is seen, and values
// given back to the elements that are seen as such. Nothing for other expressions.
std::unique_ptr<Kernel> makePoolKernel(const KernelRequest& request);

}  // namespace executor
