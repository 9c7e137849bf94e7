#pragma once

#include "core/cost/cost.h"

// Of `start` and `control`: the payload handed to the call and received from it, what goes over the wire, seconds.

namespace core {

InstructionCost priceStart(const Program& program, const Instruction& instruction, const Coordinate& at, const Machine* machine);
InstructionCost priceControl(const Program& program, const Machine* machine);

inline constexpr std::int64_t controlBytes = 8;  // the loss and the stop flag, f32 each

}  // namespace core
