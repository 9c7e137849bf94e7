#pragma once

#include <string>
#include <string_view>

#include "core/io/xla/module.h"

namespace core::xla {

// StableHLO as MLIR text: func.func, stablehlo.*, chlo.* in their pretty and generic forms, shardings of sdy.* and mhlo.sharding.
// The entry is `main`, else the only public function. Error with line and column where the text is wrong or cut; dialects
// that say nothing here (util, check) become custom_call or are left for `lower` to name.
Module parseStableHlo(std::string_view text, const std::string& path);

}  // namespace core::xla
