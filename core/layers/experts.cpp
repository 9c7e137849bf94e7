#include "core/layers/experts.h"

#include "core/layers/dense.h"
#include "core/layers/named.h"
#include "core/ops/require.h"

namespace core {
namespace {

TensorId expertDense(GraphBuilder& build, const std::string& name, TensorId x, const Shape& weight, const Shape& out,
                     const Shape& bias) {
  const Named at(build, scopeOfLayer(name));
  const TensorId matrix = build.parameter(name + ".weight", weight, Initializer{Initializer::Kind::normal, 0, 0.02});
  const TensorId y = at("einsum").einsum({x, matrix}, out);
  if (bias.empty()) return y;
  const TensorId shift = build.parameter(name + ".bias", bias, Initializer{Initializer::Kind::constant, 0, 0});
  return at("add").plus(y, shift);
}

}  // namespace

// How many stand before one in descending order: those that are greater, and equal ones with a lower number.
TensorId greatest(GraphBuilder& build, const std::string& scope, TensorId x, DimId dim, std::int64_t count) {
  const Named at(build, scope);
  const DimId other = build.dim(build.graph()[dim].name + "_2", build.graph().size(dim));
  const TensorId others = at("others").rename(x, dim, other);
  const TensorId number = at("number").iota(dim), otherNumber = at("other_number").iota(other);
  const TensorId lower = at("lower").binary(Function::greater, number, otherNumber);
  const TensorId less = at("less").binary(Function::less, x, others);
  const TensorId equal = at("equal").binary(Function::equal, x, others);
  const TensorId tied = at("tied").binary(Function::logicalAnd, equal, lower);
  const TensorId behind = at("behind").binary(Function::logicalOr, less, tied);
  const TensorId ones = at("ones").cast(behind, DType::f32);
  const TensorId rank = at("rank").sum(ones, {other});
  return at("chosen").binary(Function::less, rank, static_cast<double>(count));
}

TensorId softmaxRouter(GraphBuilder& build, const std::string& name, TensorId x, const Router& options) {
  const std::string scope = scopeOfLayer(name);
  const Named at(build, scope);
  const TensorId logits = dense(build, name, x, {options.model}, {options.experts}, false);
  const TensorId shares = at("softmax").softmax(logits, options.experts);
  const TensorId chosen = greatest(build, scope + "/top", shares, options.experts, options.chosen);
  const TensorId kept = at("kept").select(chosen, shares, 0.0);
  if (!options.normalised) return kept;
  const TensorId total = at("total").sum(kept, {options.experts});
  return at("normalised").over(kept, total);
}

TensorId experts(GraphBuilder& build, const std::string& name, TensorId x, TensorId weights, const Experts& options) {
  const Named at(build, scopeOfLayer(name));
  const DimId model = options.model, count = options.experts, ffn = options.ffn;
  const Shape whole = build.graph()[x].shape;
  Shape wide = without(whole, {model});
  wide.insert(wide.end(), {count, ffn});
  const auto bias = [&](DimId dim) { return options.bias ? Shape{count, dim} : Shape{}; };
  const TensorId gate = expertDense(build, name + ".gate_proj", x, {count, model, ffn}, wide, bias(ffn));
  const TensorId up = expertDense(build, name + ".up_proj", x, {count, model, ffn}, wide, bias(ffn));
  const TensorId passed = options.gated(at.scope(), gate, up);
  const TensorId weighted = at("weighted").times(passed, weights);
  const TensorId y = expertDense(build, name + ".down_proj", weighted, {count, ffn, model}, whole, {});
  if (!options.bias) return y;
  const TensorId shift =
      build.parameter(name + ".down_proj.bias", bias(model), Initializer{Initializer::Kind::constant, 0, 0});
  const TensorId shifts = at("shift").einsum({weights, shift}, whole);
  return at("shifted").plus(y, shifts);
}

}  // namespace core
