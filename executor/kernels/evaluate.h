#pragma once

#include "executor/kernels/kernel.h"

namespace executor {

// The plainest way, for what has no kernel of its own: core/tdl/evaluate.h.
std::unique_ptr<Kernel> makeEvaluateKernel(const KernelRequest& request);

}  // namespace executor
