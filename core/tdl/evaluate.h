#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/range.h"
#include "core/graph/dtype.h"
#include "core/base/random.h"
#include "core/tdl/expression.h"

// What an expression means, computed in the plainest way: the judge of all kernels, and the kernel of whatever
// has no better one.
//
//   std::vector<Array> y = evaluate(matmul, {a, b});                  // whole operands
//   evaluate(matmul, operands, outputs, loopRanges);                  // the part that one rank has

namespace core {

// An operand of which a region is held: element g (global) of axis d lies (g - held[d].start) * strides[d] elements
// from data.
struct ReadArray {
  const void* data = nullptr;
  DType dtype = DType::f64;
  std::vector<std::int64_t> sizes;  // global
  std::vector<Range> held;
  std::vector<std::int64_t> strides;  // in elements
};

struct WriteArray {
  void* data = nullptr;
  DType dtype = DType::f64;
  std::vector<Range> held;
  std::vector<std::int64_t> strides;
};

// What random nodes draw from. In a repeat "{}" in a template's seed name stands for the iteration's own layer (core/base/labels.h).
struct RandomContext {
  std::uint64_t seed = 0;
  std::uint32_t step = 0;
  std::uint32_t microbatch = 0;
  std::span<const std::string> labels = {};  // of the repeat; none outside of one
  std::size_t iteration = 0;
  RandomKey keyOf(std::string_view name) const;
};

// Writes every output for all indices in the ranges of its loops; reduced loops run over their ranges only, and a row
// that a lookup finds outside its loop's range counts as 0. Reads nothing outside what is held. Error where data name a
// row that the table lacks. The order of summation is that of the loops, so equal ranges give equal bits.
void evaluate(const Expression& expression, std::span<const ReadArray> operands, std::span<const WriteArray> outputs,
              std::span<const Range> loops, const RandomContext& random = {});

// Row-major numbers without a type.
struct Array {
  std::vector<std::int64_t> sizes;
  std::vector<double> values;
  bool operator==(const Array&) const = default;
};

// Over all of every loop. Outputs of floating types keep all their digits, others are rounded to their type.
std::vector<Array> evaluate(const Expression& expression, std::span<const Array> operands,
                            const RandomContext& random = {});

std::vector<std::int64_t> rowMajorStrides(std::span<const std::int64_t> shape);

}  // namespace core
