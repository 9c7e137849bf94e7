#include "core/ops/fit.h"

#include <algorithm>

#include "core/ops/builder.h"
#include "core/ops/require.h"

namespace core {

TensorId fitTo(GraphBuilder& build, TensorId gradient, Shape shape) {
  const Shape extra = without(build.graph()[gradient].shape, shape);
  if (!extra.empty()) gradient = build.sum(gradient, extra);
  const Shape missing = without(shape, build.graph()[gradient].shape);
  if (!missing.empty()) return build.broadcast(gradient, shape);
  return build.graph()[gradient].shape == shape ? gradient : build.transpose(gradient, shape);
}

TensorId productFitTo(GraphBuilder& build, TensorId a, TensorId b, Shape shape) {
  const auto within = [&](TensorId x) { return without(build.graph()[x].shape, shape).empty(); };
  if (within(a) && within(b)) return fitTo(build, build.times(a, b), shape);
  const Shape missing = without(without(shape, build.graph()[a].shape), build.graph()[b].shape);
  return fitTo(build, build.einsum({a, b}, without(shape, missing)), shape);
}

}  // namespace core
