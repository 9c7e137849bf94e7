#pragma once

#include <vector>

#include "core/io/xla/module.h"

namespace core::xla {

// What StableHLO leaves out of an instruction because it is the usual, filled in as module.h says; older opcodes as newer ones:
//
//   dot %a, %b                -> dot_general lhs_contracting_dimensions=[1] rhs_contracting_dimensions=[0]
//   slice [0:3, 0:8]          -> strides=[1, 1]
void complete(Instruction& instruction, const std::vector<Type>& operands, const std::vector<Type>& results);

}  // namespace core::xla
