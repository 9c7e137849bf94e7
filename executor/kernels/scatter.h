#pragma once

#include "executor/kernels/kernel.h"

namespace executor {

// dt[v,*d] = sum(*b) select(ids[*b] == v, dy[*b,*d], 0): rows added to where ids say; nothing for another expression.
std::unique_ptr<Kernel> makeScatterKernel(const KernelRequest& request);

}  // namespace executor
