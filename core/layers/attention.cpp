#include "core/layers/attention.h"

#include <cmath>
#include <limits>

#include "core/layers/dense.h"
#include "core/layers/named.h"
#include "core/ops/require.h"

namespace core {
namespace {

constexpr double nothing = -std::numeric_limits<double>::infinity();

// [.. seq ..] with heads taken apart from the model's dimension, still without heads of their own scale.
TensorId project(GraphBuilder& build, const std::string& name, TensorId x, const AttentionDims& dims) {
  return dense(build, name, x, {dims.model}, {dims.heads, dims.headDim}, dims.bias);
}

TensorId overKeys(GraphBuilder& build, const std::string& name, TensorId x, const AttentionDims& dims) {
  const TensorId made = project(build, name, x, dims);
  build.nextName(scopeOfLayer(name) + "/rename");
  return build.rename(made, dims.seq, dims.keys);
}

// The sink stands before the first key, and its share is cut off again.
TensorId sharesWithSink(const Named& at, TensorId scores, TensorId sinks, DimId keys) {
  GraphBuilder& build = at("room");
  const DimId wider = build.dim(build.graph()[keys].name + "_and_sink", build.graph().size(keys) + 1);
  const TensorId room = build.pad(scores, keys, wider, 1);
  const TensorId places = at("places").iota(wider);
  const TensorId first = at("first").binary(Function::equal, places, 0.0);
  const TensorId filled = at("with_sink").select(first, sinks, room);
  const TensorId shares = at("softmax").softmax(filled, wider);
  return at("shares").addOne(
      "slice", {shares},
      {{"dim", Shape{wider}}, {"into", Shape{keys}}, {"start", std::int64_t{1}}, {"left_off", std::int64_t{0}}});
}

}  // namespace

TensorId causalMask(GraphBuilder& build, const std::string& name, DimId seq, DimId keys, std::int64_t window) {
  const Named at(build, name);
  const TensorId rows = at("rows").iota(seq);
  const TensorId columns = at("columns").iota(keys);
  if (window == 0) {
    build.nextName(name);
    return build.binary(Function::greaterEqual, rows, columns);
  }
  const TensorId back = at("back").binary(Function::greaterEqual, rows, columns);
  const TensorId end = at("end").plus(columns, static_cast<double>(window));
  const TensorId near = at("near").binary(Function::less, rows, end);
  build.nextName(name);
  return build.binary(Function::logicalAnd, back, near);
}

TensorId pairScores(GraphBuilder& build, const std::string& scope, TensorId q, TensorId k, DimId seq, DimId keys,
                    const Shape& summed) {
  Shape pairs = without(without(build.graph()[q].shape, summed), {seq});
  pairs.push_back(seq);
  pairs.push_back(keys);
  return Named(build, scope)("scores").einsum({q, k}, pairs);
}

TensorId mixValues(GraphBuilder& build, const std::string& scope, TensorId scores, TensorId v, DimId keys,
                   const Sharing& sharing, Shape out) {
  const Named at(build, scope);
  if (sharing.scale != 1) scores = at("scaled").times(scores, sharing.scale);
  if (sharing.bias.valid()) scores = at("biased").plus(scores, sharing.bias);
  if (sharing.mask.valid()) scores = at("masked").select(sharing.mask, scores, nothing);
  TensorId shares =
      sharing.sinks.valid() ? sharesWithSink(at, scores, sharing.sinks, keys) : at("softmax").softmax(scores, keys);
  shares = dropout(build, scope + "/shares", shares, sharing.dropout);
  return at("mixed").einsum({shares, v}, out);
}

TensorId attention(GraphBuilder& build, const std::string& name, TensorId x, const AttentionDims& dims, TensorId mask,
                   double rate) {
  const std::string scope = scopeOfLayer(name);
  const TensorId q = project(build, name + ".q", x, dims);
  const TensorId k = overKeys(build, name + ".k", x, dims);
  const TensorId v = overKeys(build, name + ".v", x, dims);
  const TensorId scores = pairScores(build, scope, q, k, dims.seq, dims.keys, {dims.headDim});
  const double scale = 1 / std::sqrt(static_cast<double>(build.graph().size(dims.headDim)));
  const TensorId values = mixValues(build, scope, scores, v, dims.keys, {.scale = scale, .mask = mask, .dropout = rate},
                                    build.graph()[q].shape);
  return dense(build, name + ".proj", values, {dims.heads, dims.headDim}, {dims.model});
}

}  // namespace core
