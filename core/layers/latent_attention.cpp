#include "core/layers/latent_attention.h"

#include "core/layers/attention.h"
#include "core/layers/dense.h"
#include "core/layers/named.h"
#include "core/ops/require.h"

namespace core {
namespace {

constexpr double epsilon = 1e-6;  // of the norms within: fixed, whatever the model's is

struct Parts {
  TensorId plain, rotary;
};

Parts queries(GraphBuilder& build, const std::string& name, TensorId x, const LatentAttention& options) {
  std::string from = name + ".q_proj";
  DimId in = options.model;
  if (options.queryRank) {
    in = *options.queryRank;
    x = dense(build, name + ".q_a_proj", x, {options.model}, {in}, options.bias);
    x = rmsNorm(build, name + ".q_a_layernorm", x, in, epsilon);
    from = name + ".q_b_proj";
  }
  return {dense(build, from + ".plain", x, {in}, {options.heads, options.plainDim}, false),
          dense(build, from + ".rotary", x, {in}, {options.heads, options.rotaryDim}, false)};
}

}  // namespace

TensorId latentAttention(GraphBuilder& build, const std::string& name, TensorId x, const LatentAttention& options,
                         const RotaryTable& rotary, TensorId mask) {
  const std::string scope = scopeOfLayer(name);
  const Named at(build, scope);
  const DimId seq = options.seq, keys = options.keys, rank = options.keyRank, heads = options.heads;
  const auto overKeys = [&](const char* which, TensorId made) { return at(which).rename(made, seq, keys); };
  const Parts q = queries(build, name, x, options);
  const TensorId turned = rotate(build, scope + "/q_rotary", q.rotary, options.rotaryDim, rotary);

  const TensorId shared =
      dense(build, name + ".kv_a_proj.rotary", x, {options.model}, {options.rotaryDim}, options.bias);
  const TensorId place =
      overKeys("place_rename", rotate(build, scope + "/k_rotary", shared, options.rotaryDim, rotary));
  const TensorId latent = dense(build, name + ".kv_a_proj.latent", x, {options.model}, {rank}, options.bias);
  const TensorId normed = rmsNorm(build, name + ".kv_a_layernorm", latent, rank, epsilon);
  const TensorId k =
      overKeys("k_rename", dense(build, name + ".kv_b_proj.k", normed, {rank}, {heads, options.plainDim}, false));
  const TensorId v =
      overKeys("v_rename", dense(build, name + ".kv_b_proj.v", normed, {rank}, {heads, options.valueDim}, false));

  const TensorId plain = pairScores(build, scope + "/plain", q.plain, k, seq, keys, {options.plainDim});
  const TensorId places = pairScores(build, scope + "/rotary", turned, place, seq, keys, {rotary.half, rotary.pair});
  Shape out = without(build.graph()[x].shape, {options.model});
  out.insert(out.end(), {heads, options.valueDim});
  const TensorId mixed = mixValues(build, scope, at("scores").plus(plain, places), v, keys,
                                   {.scale = options.scale, .mask = mask, .dropout = options.dropout}, out);
  return dense(build, name + ".o_proj", mixed, {heads, options.valueDim}, {options.model}, options.bias);
}

}  // namespace core
