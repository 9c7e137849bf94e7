#pragma once

#include <vector>

#include "core/ops/op.h"

namespace core {

struct TensorType {
  Shape shape;
  DType dtype = DType::f32;
  bool operator==(const TensorType&) const = default;
};

// What an operator makes: from its expression, or from the last parts of its expansion, tried on a graph of its own.
// Error naming the operator where inputs or attributes are not what it takes.
std::vector<TensorType> outputTypes(const OperatorView& op);

}  // namespace core
