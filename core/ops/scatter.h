#pragma once

#include "core/ops/expression_builder.h"
#include "core/ops/op.h"

namespace core {

// What scatters share: ids (input 0) name rows of the result, updates (input 1) go there, and those of the ids' dimensions in "dims" are
// reduced. "rows" is the result's dimension that is named, "shape", where given, the order of the result. Makes the loops; the value says
// whether an update is for the row.
Value scatterLoops(const OperatorView& op, ExpressionBuilder& y, Reduction reduction);

}  // namespace core
