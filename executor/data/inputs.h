#pragma once

#include <cstdint>
#include <vector>

#include "core/spmd/program.h"

namespace executor {

// What an input is, as far as data is concerned.
enum class Role : std::uint8_t {
  ids,        // whole numbers that choose rows of a table: a text
  labels,     // whole numbers to be predicted: of a text the next ids
  positions,  // 0, 1, 2 ... along the last dimension
  zeros,      // token types
  ones,       // masks
  numbers,    // real numbers
  targets,    // real numbers to be predicted
};

struct Input {
  core::BufferId buffer;
  Role role = Role::numbers;
  std::int64_t below = 0;  // of whole numbers: they must be smaller; 0 = not known
};

// From names, types and what the program does with them: the table that ids index gives their bound, the classes that labels are
// compared with give theirs.
std::vector<Input> inputsOf(const core::Program& program);

}  // namespace executor
