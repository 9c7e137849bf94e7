#pragma once

#include <cstdint>
#include <vector>

#include "core/spmd/program.h"

// Devices that a program asks the same of. Classes are found axis by axis and then crossed, so that 8,192 devices cost what 8 do.
//
//   mesh data:4, rows of 10 over data: 3 3 3 1     classes: data 0..2 (3 devices), data 3 (1 device)

namespace core {

struct CoordinateClass {
  Coordinate first;
  std::int64_t devices = 0;
  bool operator==(const CoordinateClass&) const = default;
};

// In row-major order of their first devices. A `redistribute` asks something else of almost every device when it is uneven; where
// that would make more than `most` classes, devices with equal extents stay in one, and price() at a coordinate says what is exact.
std::vector<CoordinateClass> coordinateClasses(const Program& program, std::int64_t most = 256);

}  // namespace core
