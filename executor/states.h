#pragma once

#include <cstdint>
#include <string>

#include "core/spmd/program.h"
#include "executor/interpreter.h"

namespace executor {

// Gives every state and constant of the program its first value, on the ranks of this process: from its file (only the part that a rank
// holds is kept, and the chunks that it reads are checked), from numbers in the program, or drawn from (seed, name, global index).
//
// Relative paths are below `folder`. Error where a file is missing, was changed or is too short.
void loadStates(Interpreter& interpreter, const core::Program& program, std::uint64_t seed, const std::string& folder);

// One buffer on one rank.
void loadState(const core::Source& source, const core::Buffer& buffer, const Held& held, std::uint64_t seed, const std::string& folder, std::byte* block);

}  // namespace executor
