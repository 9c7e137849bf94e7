#pragma once

#include "executor/kernels/kernel.h"

namespace executor {

// y = sum of products of two f32 operands, as a batched matrix product of oneDNN. Each loop belongs to the batch (both operands and the
// result), to the rows or the columns (one operand and the result) or is summed over (both operands). Operands are taken where they lie,
// with their strides; one that cannot be is packed first. Nothing for other expressions.
std::unique_ptr<Kernel> makeProductKernel(const KernelRequest& request);

}  // namespace executor
