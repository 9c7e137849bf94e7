#pragma once

#include <cstdint>

#include "core/tdl/expression.h"

// Loops over whole registers of a tile, compiled once for each level of CPU and chosen at run time.

namespace executor {

// Each works on n elements; `out` may be one of the operands.
struct VectorCode {
  const char* level;  // "x86-64-v4"

  // nullptr where there is no loop of its own: the scalar table of core/tdl/function.h serves.
  using UnaryF = void (*)(const float* a, float* out, std::int64_t n);
  using BinaryF = void (*)(const float* a, const float* b, float* out, std::int64_t n);
  using BinaryD = void (*)(const double* a, const double* b, double* out, std::int64_t n);
  UnaryF (*unaryF)(core::Function function);
  BinaryF (*binaryF)(core::Function function);
  BinaryD (*binaryD)(core::Function function);
  void (*selectF)(const float* condition, const float* yes, const float* no, float* out, std::int64_t n);
  void (*selectD)(const double* condition, const double* yes, const double* no, double* out, std::int64_t n);

  // out[row] = reduction of the row; rows x columns lie without gaps.
  void (*reduceRowsF)(core::Reduction reduction, const float* a, float* out, std::int64_t rows, std::int64_t columns);
  void (*reduceRowsD)(core::Reduction reduction, const double* a, double* out, std::int64_t rows, std::int64_t columns);
  // out[column] = reduction of the column.
  void (*reduceColumnsF)(core::Reduction reduction, const float* a, float* out, std::int64_t rows, std::int64_t columns);
  void (*reduceColumnsD)(core::Reduction reduction, const double* a, double* out, std::int64_t rows, std::int64_t columns);
  // into[i] = reduction(into[i], a[i])
  void (*joinF)(core::Reduction reduction, const float* a, double* into, std::int64_t n);
  void (*joinD)(core::Reduction reduction, const double* a, double* into, std::int64_t n);

  void (*widen)(const float* a, double* out, std::int64_t n);
  void (*narrow)(const double* a, float* out, std::int64_t n);
};

// Of the CPU that this runs on.
const VectorCode& vectorCode();
// All that this CPU can run, the best last; for tests.
int vectorLevels(const VectorCode* (&levels)[3]);

}  // namespace executor
