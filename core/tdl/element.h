#pragma once

#include <cstdint>

#include "core/graph/dtype.h"

// Single numbers of every element type, as doubles. Whole numbers are exact up to 2^53.

namespace core {

double loadElement(const void* data, std::int64_t index, DType dtype);
void storeElement(void* data, std::int64_t index, DType dtype, double value);  // rounded as roundTo does

// The nearest number that the type can hold: floats to the nearest, ties to even; towards zero and
// into range for integers (NaN is 0); 0 or 1 for bool.
double roundTo(DType dtype, double value);

std::uint16_t bf16Of(float value);
float floatOfBf16(std::uint16_t bits);

}  // namespace core
