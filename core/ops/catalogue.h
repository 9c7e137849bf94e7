#pragma once

#include "core/ops/op.h"

// Every operator that is not a row of the elementwise table; each is defined in the file of its name.

namespace core {

// math
const Op& derivative();
const Op& selectOp();
const Op& castOp();
const Op& einsumOp();
const Op& broadcastOp();
std::span<const Op* const> reductionOps();

// shape
const Op& renameOp();
const Op& transposeOp();
const Op& splitOp();
const Op& mergeOp();
const Op& sliceOp();
const Op& pickOp();
const Op& stackOp();
const Op& padOp();
const Op& concatOp();

// index
const Op& iotaOp();
const Op& gatherOp();
const Op& scatterAddOp();

}  // namespace core
