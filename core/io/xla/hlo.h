#pragma once

#include <string>
#include <string_view>

#include "core/io/xla/module.h"

namespace core::xla {

// HLO text, as `--xla_dump_to` and `Lowered.as_text(dialect="hlo")` write it. Error with line and column where the text is
// wrong or cut.
Module parseHlo(std::string_view text, const std::string& path);

}  // namespace core::xla
