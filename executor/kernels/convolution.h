#pragma once

#include "executor/kernels/kernel.h"

namespace executor {

// Convolutions of f32 in one to three dimensions, transposed ones and gradients of weights, by oneDNN in the layouts that it likes best for this
// processor. Each rank's part has the padding of its own ends. Nothing for other expressions.
std::unique_ptr<Kernel> makeConvolutionKernel(const KernelRequest& request);

}  // namespace executor
