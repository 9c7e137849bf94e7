#pragma once

#include <string>

#include "core/ops/builder.h"
#include "core/ops/op.h"

namespace core {

// Names the next part of a composite under the composite's own name: "h.0/ln_1/LayerNorm" + "mean".
inline void namePart(GraphBuilder& build, const OperatorView& op, const std::string& part) {
  build.nextName(op.name() + "/" + part);
}

inline TensorId addPart(GraphBuilder& build, const OperatorView& op, const std::string& name, const std::string& kind,
                        std::vector<TensorId> inputs, Attributes attributes = {}) {
  namePart(build, op, name);
  return build.addOne(kind, std::move(inputs), std::move(attributes));
}

}  // namespace core
