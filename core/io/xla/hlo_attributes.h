#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/io/xla/hlo_scanner.h"
#include "core/io/xla/hlo_sharding.h"

namespace core::xla {

// What stands behind an instruction's operands.
struct HloAttributes {
  std::vector<std::string> computations;  // by name, in the order of the text
  std::vector<Tiling> shardings;
  std::int64_t index = 0;  // of get-tuple-element
};

// Reads all up to the end of the instruction; plain ones go into `instruction`, under StableHLO's names (module.h).
HloAttributes readAttributes(Scanner& scan, Instruction& instruction);

}  // namespace core::xla
