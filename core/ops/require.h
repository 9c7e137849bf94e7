#pragma once

#include <initializer_list>
#include <string>

#include "core/ops/op.h"

// What operators ask of their inputs; each throws Error naming the operator.

namespace core {

[[noreturn]] void refuse(const OperatorView& op, std::string what, std::string right = {});

void requireInputs(const OperatorView& op, std::size_t count);
void requireSameType(const OperatorView& op);  // no promotion: mixed types need a cast
void requireFloating(const OperatorView& op, std::size_t input);
void requireInteger(const OperatorView& op, std::size_t input);
void requireDim(const OperatorView& op, std::size_t input, DimId dim);
void requireNoDim(const OperatorView& op, std::size_t input, DimId dim);
void requireSize(const OperatorView& op, DimId dim, std::int64_t size,
                 const std::string& because);  // an unbound one agrees with all

bool holds(const Shape& shape, DimId dim);
Shape without(Shape shape, const Shape& dims);
Shape replaced(Shape shape, DimId dim, const Shape& by);           // `by` stands where dim stood
DimId only(const OperatorView& op, const std::string& attribute);  // an attribute that is one dimension

std::string shapeText(const Graph& graph, const Shape& shape);  // "[batch:8 in:4]"

}  // namespace core
