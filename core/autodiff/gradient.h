#pragma once

#include <span>
#include <vector>

#include "core/ops/builder.h"

namespace core {

// Adds operators that make the gradient of `loss`, a scalar, by each tensor of `of`; an invalid id where loss does not
// depend on it. Operators stand under the scope "grad/" + the forward operator's name; the gradient of a state W is a
// tensor "grad/W". Contributions are added up in the order in which the readers of a tensor stand, last first.
//
//   y = einsum(x, W), loss = mean(y)     gradients(build, loss, {W})     grad/W = einsum(grad/y, x)
std::vector<TensorId> gradients(GraphBuilder& build, TensorId loss, std::span<const TensorId> of);

}  // namespace core
