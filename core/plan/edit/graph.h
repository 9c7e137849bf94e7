#pragma once

#include <cstdint>
#include <string>

#include "core/plan/plan.h"

// Edits of the model that all variants share. Names in the variants' layouts follow. Error when the thing is not
// there, the name is taken, or others still need what would go.

namespace core {

Plan renameDimension(Plan plan, const std::string& from, const std::string& to);
// Sizes for dimensions that have none yet, or others; what is derived from them follows (core/graph/dims.h).
Plan bindDimension(Plan plan, const std::string& name, std::int64_t size);
Plan bindDimensions(Plan plan, const std::map<std::string, std::int64_t>& sizes);
Plan renameTensor(Plan plan, const std::string& from, const std::string& to);
Plan renameOperator(Plan plan, const std::string& from, const std::string& to);

// The operator and what it makes; Error naming a reader of its outputs, if there is one.
Plan deleteOperator(Plan plan, const std::string& name);

}  // namespace core
