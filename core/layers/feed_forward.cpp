#include "core/layers/feed_forward.h"

#include "core/layers/dense.h"
#include "core/layers/named.h"
#include "core/ops/elementwise.h"

namespace core {
namespace {

TensorId activated(GraphBuilder& build, const std::string& scope, TensorId x, Function function) {
  // Both forms of GELU have one name: which of them it is stands in the operator.
  const std::string name(function == Function::geluTanh ? "gelu" : kindOf(function));
  return Named(build, scope)(name).unary(function, x);
}

}  // namespace

TensorId feedForward(GraphBuilder& build, const std::string& name, TensorId x, const FeedForward& options,
                     const std::string& up, const std::string& down) {
  const std::string scope = scopeOfLayer(name);
  const TensorId wide = dense(build, name + "." + up, x, {options.model}, {options.ffn}, options.bias);
  const TensorId active = dropout(build, scope, activated(build, scope, wide, options.activation), options.dropout);
  return dense(build, name + "." + down, active, {options.ffn}, {options.model}, options.bias);
}

TensorId gatedFeedForward(GraphBuilder& build, const std::string& name, TensorId x, const FeedForward& options) {
  const std::string scope = scopeOfLayer(name);
  const TensorId gate = dense(build, name + ".gate_proj", x, {options.model}, {options.ffn}, options.bias);
  const TensorId up = dense(build, name + ".up_proj", x, {options.model}, {options.ffn}, options.bias);
  const TensorId open = activated(build, scope, gate, options.activation);
  const TensorId passed = Named(build, scope)("gated").times(open, up);
  const TensorId kept = dropout(build, scope, passed, options.dropout);
  return dense(build, name + ".down_proj", kept, {options.ffn}, {options.model}, options.bias);
}

}  // namespace core
