#pragma once

#include <cstddef>
#include <cstdint>

#include "core/graph/dtype.h"
#include "core/tdl/expression.h"

namespace executor {

// into[i] = reduction(into[i], from[i]). Error for a type that is only stored (bf16, f16).
void reduceInto(core::DType dtype, core::Reduction reduction, const std::byte* from, std::byte* into, std::int64_t count);

// Fills with the value that changes nothing: 0, 1, the lowest, the highest.
void fillIdentity(core::DType dtype, core::Reduction reduction, std::byte* target, std::int64_t count);

}  // namespace executor
