#pragma once

#include "core/io/xla/hlo_scanner.h"
#include "core/io/xla/module.h"

namespace core::xla {

// "1e-05", "true", "{ {1, 2}, {3, 4} }" of the given type. Nothing for "{...}", which is what XLA writes for large constants,
// and for element types that positional::Data does not hold.
positional::DataPtr readLiteral(Scanner& scan, const Type& type);

}  // namespace core::xla
