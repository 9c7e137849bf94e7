#pragma once

#include <string>

#include "core/io/xla/module.h"

namespace tests {

// A computation in short lines, what it calls in place, one line an instruction:
//
//   (x:f32[4] y:f32[4])
//   s:f32[4] = add(x y)
//   m:f32[] = reduce(s c) dimensions=[0] {(a:f32[] b:f32[]); c:f32[] = maximum(a b); -> c}
//   -> m
std::string printed(const core::xla::Module& module, int computation);
std::string printed(const core::xla::Module& module);  // the entry

}  // namespace tests
