#pragma once

#include "executor/kernels/kernel.h"

namespace executor {

// A tensor set among a value, with or without steps between its elements: the value everywhere, then one strided copy. Any type. Nothing for other
// expressions.
std::unique_ptr<Kernel> makePadKernel(const KernelRequest& request);

}  // namespace executor
