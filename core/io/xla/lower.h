#pragma once

#include "core/io/positional.h"
#include "core/io/xla/module.h"

namespace core::xla {

// The entry as one graph of the operators that the import knows (ONNX's), all calls inlined and loops whose trip count the
// program fixes unrolled. Broadcasts are kept back as long as operators broadcast themselves, so that a bias stays a vector.
// What has no such operator stands there under its own opcode in the domain "stablehlo" and becomes opaque.
//
// Error where a value is of a type that nothing here holds (complex numbers, 8-bit floats), or the graph gets too large.
positional::Model lower(const Module& module);

}  // namespace core::xla
