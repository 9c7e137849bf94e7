#include "core/layers/grouped_attention.h"

#include <cmath>

#include "core/layers/dense.h"
#include "core/layers/named.h"
#include "core/ops/require.h"

namespace core {
namespace {

Shape with(Shape shape, DimId dim) {
  shape.push_back(dim);
  return shape;
}

class Building {
 public:
  Building(GraphBuilder& build, const std::string& name, const GroupedAttention& options)
      : build_(build), name_(name), options_(options) {}

  TensorId project(const std::string& which, TensorId x, const Shape& heads) const {
    return dense(build_, name_ + "." + which, x, {options_.model}, with(heads, options_.headDim), options_.bias);
  }

  TensorId placed(const std::string& which, TensorId x, const Shape& heads, const RotaryTable& rotary) const {
    TensorId made = project(which + "_proj", x, heads);
    if (options_.queryKeyNorm)
      made = rmsNorm(build_, name_ + "." + which + "_norm", made, options_.headDim, *options_.queryKeyNorm);
    return rotate(build_, scopeOfLayer(name_) + "/" + which + "_rotary", made, options_.headDim, rotary);
  }

  TensorId overKeys(const std::string& which, TensorId x) const {
    return Named(build_, scopeOfLayer(name_))(which + "_rename").rename(x, options_.seq, options_.keys);
  }

 private:
  GraphBuilder& build_;
  const std::string& name_;
  const GroupedAttention& options_;
};

}  // namespace

TensorId groupedAttention(GraphBuilder& build, const std::string& name, TensorId x, const GroupedAttention& options,
                          const RotaryTable& rotary, TensorId mask) {
  const Building make(build, name, options);
  const std::string scope = scopeOfLayer(name);
  const Shape values = with(options.heads.queries, options.headDim);
  const TensorId q = make.placed("q", x, options.heads.queries, rotary);
  const TensorId k = make.overKeys("k", make.placed("k", x, options.heads.keys, rotary));
  const TensorId v = make.overKeys("v", make.project("v_proj", x, options.heads.keys));
  Sharing sharing{.scale = 1 / std::sqrt(static_cast<double>(build.graph().size(options.headDim))),
                  .mask = mask,
                  .dropout = options.dropout};
  if (options.sinks)
    sharing.sinks =
        build.parameter(name + ".sinks", options.heads.queries, Initializer{Initializer::Kind::normal, 0, 0.02});
  const TensorId scores = pairScores(build, scope, q, k, options.seq, options.keys, {rotary.half, rotary.pair});
  Shape out = without(build.graph()[x].shape, {options.model});
  out.insert(out.end(), values.begin(), values.end());
  const TensorId mixed = mixValues(build, scope, scores, v, options.keys, sharing, out);
  return dense(build, name + ".o_proj", mixed, values, {options.model}, options.outputBias);
}

}  // namespace core
