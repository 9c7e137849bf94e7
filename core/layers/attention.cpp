#include "core/layers/attention.h"

#include <cmath>
#include <limits>

#include "core/layers/dense.h"
#include "core/ops/require.h"

namespace core {
namespace {

// [.. seq ..] with heads taken apart from the model's dimension, still without heads of their own scale.
TensorId project(GraphBuilder& build, const std::string& name, TensorId x, const AttentionDims& dims) {
  return dense(build, name, x, {dims.model}, {dims.heads, dims.headDim});
}

TensorId overKeys(GraphBuilder& build, const std::string& name, TensorId x, const AttentionDims& dims) {
  const TensorId made = project(build, name, x, dims);
  build.nextName(scopeOfLayer(name) + "/rename");
  return build.rename(made, dims.seq, dims.keys);
}

}  // namespace

TensorId causalMask(GraphBuilder& build, const std::string& name, DimId seq, DimId keys) {
  build.nextName(name + "/rows");
  const TensorId rows = build.iota(seq);
  build.nextName(name + "/columns");
  const TensorId columns = build.iota(keys);
  build.nextName(name);
  return build.binary(Function::greaterEqual, rows, columns);
}

TensorId attention(GraphBuilder& build, const std::string& name, TensorId x, const AttentionDims& dims, TensorId mask) {
  const std::string scope = scopeOfLayer(name);
  const TensorId q = project(build, name + ".q", x, dims);
  const TensorId k = overKeys(build, name + ".k", x, dims);
  const TensorId v = overKeys(build, name + ".v", x, dims);
  const Shape rest = without(build.graph()[x].shape, {dims.seq, dims.model});
  Shape pairs = rest;
  for (DimId dim : {dims.heads, dims.seq, dims.keys}) pairs.push_back(dim);
  build.nextName(scope + "/scores");
  const TensorId products = build.einsum({q, k}, pairs);
  build.nextName(scope + "/scaled");
  TensorId scores = build.times(products, 1 / std::sqrt(static_cast<double>(build.graph().size(dims.headDim))));
  if (mask.valid()) {
    build.nextName(scope + "/masked");
    scores = build.select(mask, scores, -std::numeric_limits<double>::infinity());
  }
  build.nextName(scope + "/softmax");
  const TensorId shares = build.softmax(scores, dims.keys);
  Shape mixed = rest;
  for (DimId dim : {dims.seq, dims.heads, dims.headDim}) mixed.push_back(dim);
  build.nextName(scope + "/mixed");
  const TensorId values = build.einsum({shares, v}, mixed);
  return dense(build, name + ".proj", values, {dims.heads, dims.headDim}, {dims.model});
}

}  // namespace core
