#include "core/layers/patches.h"

#include "core/layers/dense.h"
#include "core/layers/named.h"
#include "core/ops/require.h"

namespace core {

TensorId patchEmbedding(GraphBuilder& build, const std::string& name, TensorId image, const Patches& dims) {
  const Named at(build, scopeOfLayer(name));
  const Initializer small{Initializer::Kind::normal, 0, 0.02}, zero{Initializer::Kind::constant, 0, 0};
  const TensorId strips = at("rows").split(image, dims.height, {dims.rows, dims.patchHeight});
  const TensorId tiles = at("columns").split(strips, dims.width, {dims.columns, dims.patchWidth});
  const TensorId weight =
      build.parameter(name + ".weight", Shape{dims.model, dims.channels, dims.patchHeight, dims.patchWidth}, small);
  Shape grid = without(build.graph()[image].shape, {dims.channels, dims.height, dims.width});
  grid.insert(grid.end(), {dims.rows, dims.columns, dims.model});
  const TensorId seen = at("einsum").einsum({tiles, weight}, grid);
  const TensorId row = at("patches").merge(seen, {dims.rows, dims.columns}, dims.patches);
  if (!dims.bias) return row;
  return at("add").plus(row, build.parameter(name + ".bias", Shape{dims.model}, zero));
}

}  // namespace core
