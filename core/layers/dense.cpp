#include "core/layers/dense.h"

#include <cstring>
#include <memory>

#include "core/ops/require.h"

namespace core {
namespace {

Source zeros() {
  return Initializer{Initializer::Kind::constant, 0, 0};
}
Source ones() {
  return Initializer{Initializer::Kind::constant, 1, 0};
}
Source small() {
  return Initializer{Initializer::Kind::normal, 0, 0.02};
}

DType typeOf(const GraphBuilder& build, TensorId x) {
  return build.graph()[x].dtype;
}

}  // namespace

// Numbers stay with the name before them: "h.0.attn.q" is layer h.0, then attn, then q.
std::string scopeOfLayer(const std::string& name) {
  std::string scope = name;
  for (std::size_t i = 0; i + 1 < scope.size(); ++i)
    if (scope[i] == '.' && (scope[i + 1] < '0' || scope[i + 1] > '9')) scope[i] = '/';
  return scope;
}

TensorId dense(GraphBuilder& build, const std::string& name, TensorId x, const Shape& in, const Shape& out, bool bias) {
  Shape shape = in;
  shape.insert(shape.end(), out.begin(), out.end());
  const TensorId weight = build.parameter(name + ".weight", shape, small(), typeOf(build, x));
  Shape result = without(build.graph()[x].shape, in);
  result.insert(result.end(), out.begin(), out.end());
  build.nextName(scopeOfLayer(name) + "/einsum");
  const TensorId y = build.einsum({x, weight}, result);
  if (!bias) return y;
  const TensorId shift = build.parameter(name + ".bias", out, zeros(), typeOf(build, x));
  build.nextName(scopeOfLayer(name) + "/add");
  return build.plus(y, shift);
}

TensorId embedding(GraphBuilder& build, const std::string& name, TensorId ids, DimId rows, DimId d) {
  const TensorId table = build.parameter(name + ".weight", Shape{rows, d}, small());
  build.nextName(scopeOfLayer(name) + "/gather");
  return build.gather(table, rows, ids);
}

TensorId learnedPositions(GraphBuilder& build, const std::string& name, DimId positions, DimId seq, DimId d) {
  const TensorId table = build.parameter(name + ".weight", Shape{positions, d}, small());
  build.nextName(scopeOfLayer(name) + "/slice");
  return build.slice(table, positions, seq, 0);
}

TensorId layerNorm(GraphBuilder& build, const std::string& name, TensorId x, DimId over, double epsilon) {
  const TensorId scale = build.parameter(name + ".weight", Shape{over}, ones(), typeOf(build, x));
  const TensorId bias = build.parameter(name + ".bias", Shape{over}, zeros(), typeOf(build, x));
  build.nextName(scopeOfLayer(name) + "/layer_norm");
  return build.layerNorm(x, {over}, scale, bias, epsilon);
}

TensorId rmsNorm(GraphBuilder& build, const std::string& name, TensorId x, DimId over, double epsilon) {
  const TensorId scale = build.parameter(name + ".weight", Shape{over}, ones(), typeOf(build, x));
  build.nextName(scopeOfLayer(name) + "/rms_norm");
  return build.rmsNorm(x, {over}, scale, epsilon);
}

// Which elements are left out is drawn by the operator's own name.
TensorId dropout(GraphBuilder& build, const std::string& scope, TensorId x, double rate) {
  if (rate == 0) return x;
  build.nextName(scope + "/dropout");
  return build.addOne("dropout", {x}, {{"rate", rate}});
}

TensorId fixedNumbers(GraphBuilder& build, const std::string& name, DimId dim, std::span<const double> values) {
  auto bytes = std::make_shared<std::vector<std::byte>>(values.size() * sizeof(float));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float value = static_cast<float>(values[i]);
    std::memcpy(bytes->data() + i * sizeof(float), &value, sizeof(float));
  }
  return build.constant(name, Shape{dim}, DType::f32, InlineSource{std::move(bytes)});
}

}  // namespace core
