#pragma once

#include <string>

#include "core/io/xla/module.h"

namespace core::xla {

// What the text of a program may get wrong and still be a text: lists that are longer or shorter than the axes that they are for,
// axes that there are not, calls with other values than are taken. Error with the line. Sizes that are not known (-1) are let pass.
//
//   slice(a: f32[9]) start_indices=[2] limit_indices=[12] -> "slice" goes from 2 to 12 on an axis of size 9
void check(const Module& module, const std::string& path);

}  // namespace core::xla
