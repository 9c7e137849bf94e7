#pragma once

#include <vector>

#include "core/io/xla/hlo_scanner.h"
#include "core/io/xla/module.h"

namespace core::xla {

// A type as HLO writes it, "f32[8,64]{1,0}" or "(f32[], s32[2])". Layouts say nothing here and are dropped.
struct HloType {
  Type leaf;
  std::vector<HloType> parts;
  bool tuple = false;

  std::size_t leaves() const;                          // values that it is taken apart into
  void flatten(std::vector<Type>& into) const;
};

HloType readType(Scanner& scan);

}  // namespace core::xla
