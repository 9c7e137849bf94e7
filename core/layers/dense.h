#pragma once

#include <span>
#include <string>

#include "core/ops/builder.h"

// Layers: parameters and operators under a name of their own, "h.0.c_fc" -> "h.0.c_fc.weight", "h.0/c_fc/einsum".

namespace core {

// y = x * weight + bias: the dimensions `in` of x become `out`. Parameters NAME.weight [in out] and, where asked,
// NAME.bias [out].
TensorId dense(GraphBuilder& build, const std::string& name, TensorId x, const Shape& in, const Shape& out,
               bool bias = true);

// Rows of a table NAME.weight [rows d] for integer ids.
TensorId embedding(GraphBuilder& build, const std::string& name, TensorId ids, DimId rows, DimId d);

// The first rows of a table NAME.weight [positions d], one for each place of a sequence: [seq d].
TensorId learnedPositions(GraphBuilder& build, const std::string& name, DimId positions, DimId seq, DimId d);

// Scale NAME.weight and bias NAME.bias over one dimension.
TensorId layerNorm(GraphBuilder& build, const std::string& name, TensorId x, DimId over, double epsilon = 1e-5);
TensorId rmsNorm(GraphBuilder& build, const std::string& name, TensorId x, DimId over, double epsilon = 1e-5);

// In training elements are left out at this rate; the same x where the rate is 0.
TensorId dropout(GraphBuilder& build, const std::string& scope, TensorId x, double rate);

// Numbers that a model fixes: a tensor of f32 in the plan itself.
TensorId fixedNumbers(GraphBuilder& build, const std::string& name, DimId dim, std::span<const double> values);

// "h.0.c_fc" -> "h.0/c_fc": where a layer's operators stand.
std::string scopeOfLayer(const std::string& name);

}  // namespace core
