#pragma once

#include <string>
#include <utility>

#include "core/ops/builder.h"

namespace core {

// Names what is made next:
//
//   Named at(build, "h.0/attn");
//   at("scores").einsum({q, k}, pairs);      // the operator "h.0/attn/scores"
//
// The name is taken by the first operator made after it: operands are made before, not within the call.
class Named {
 public:
  Named(GraphBuilder& build, std::string scope) : build_(build), scope_(std::move(scope)) {}

  GraphBuilder& operator()(const std::string& name) const {
    build_.nextName(scope_ + "/" + name);
    return build_;
  }
  const std::string& scope() const { return scope_; }

 private:
  GraphBuilder& build_;
  std::string scope_;
};

}  // namespace core
