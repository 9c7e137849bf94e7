#include "core/ops/catalogue.h"
#include "core/ops/elementwise.h"

// The table of all operators.

namespace core {
namespace {

std::vector<const Op*> table() {
  std::vector<const Op*> all{
      &selectOp(),
      &castOp(),
      &einsumOp(),
      &derivative(),
      &broadcastOp(),
      &renameOp(),
      &transposeOp(),
      &splitOp(),
      &mergeOp(),
      &sliceOp(),
      &pickOp(),
      &stackOp(),
      &padOp(),
      &concatOp(),
      &iotaOp(),
      &gatherOp(),
      &scatterAddOp(),
      &scatterReduceOp(),
      &softmaxOp(),
      &sumProductOp(),
      &softmaxGradientOp(),
      &logSoftmaxOp(),
      &logSoftmaxGradientOp(),
      &crossEntropyOp(),
      &pickLabelOp(),
      &crossEntropyGradientOp(),
      &layerNormOp(),
      &rmsNormOp(),
      &shiftedExpOp(),
      &sumExpOp(),
      &varianceOp(),
      &meanSquareOp(),
      &inverseRootOp(),
      &normalizeOp(),
      &normGradientAlongOp(),
      &normGradientLevelOp(),
      &normGradientOp(),
      &normScaleGradientOp(),
      &convolutionOp(),
      &convolutionTransposeOp(),
      &poolOp(),
      &unpoolOp(),
      &poolMatchesOp(),
      &maxPoolGradientOp(),
      &uniformOp(),
      &normalOp(),
      &dropoutOp(),
      &keepMaskOp(),
      &keepScaledOp(),
      &sgdOp(),
      &momentumOp(),
      &adamRatesOp(),
      &adamOp(),
  };
  const auto functions = elementwiseOps(), reductions = reductionOps();
  all.insert(all.begin(), reductions.begin(), reductions.end());
  all.insert(all.begin(), functions.begin(), functions.end());
  return all;
}

}  // namespace

std::span<const Op* const> allOps() {
  static const std::vector<const Op*> all = table();
  return all;
}

}  // namespace core
