#pragma once

#include "core/ops/op.h"

// Every operator that is not a row of the elementwise table; each is defined in the file of its name;
// composites and the parts that only they are made of stand together.

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
const Op& scatterReduceOp();

// nn
const Op& softmaxOp();
const Op& sumProductOp();
const Op& softmaxGradientOp();
const Op& logSoftmaxOp();
const Op& logSoftmaxGradientOp();
const Op& shiftedExpOp();
const Op& sumExpOp();
const Op& crossEntropyOp();
const Op& pickLabelOp();
const Op& crossEntropyGradientOp();
const Op& layerNormOp();
const Op& rmsNormOp();
const Op& varianceOp();
const Op& meanSquareOp();
const Op& inverseRootOp();
const Op& normalizeOp();
const Op& normGradientAlongOp();
const Op& normGradientLevelOp();
const Op& normGradientOp();
const Op& normScaleGradientOp();
const Op& convolutionOp();
const Op& convolutionTransposeOp();
const Op& poolOp();
const Op& unpoolOp();
const Op& poolMatchesOp();
const Op& maxPoolGradientOp();

// random
const Op& uniformOp();
const Op& normalOp();
const Op& dropoutOp();
const Op& keepMaskOp();
const Op& keepScaledOp();

// optimizer
const Op& sgdOp();
const Op& momentumOp();
const Op& adamRatesOp();
const Op& adamOp();

}  // namespace core
