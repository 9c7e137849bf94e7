#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/tdl/expression.h"
#include "core/tdl/parse.h"

namespace core {

// A tensor that stands for an operand's name.
struct BoundOperand {
  std::string name;               // as the text has it
  std::vector<std::string> dims;  // names, in order
  std::vector<std::int64_t> sizes;
  std::vector<DimId> ids;  // of the graph; may be left empty
  DType dtype = DType::f32;
};

struct Bindings {
  std::vector<BoundOperand> operands;            // in the operator's input order
  std::map<std::string, std::int64_t> integers;  // parameters: strides, offsets, block sizes
  std::map<std::string, double> numbers;         // parameters: factors, epsilons
  std::map<std::string, std::int64_t> extents;   // of loops that no plain read x[i] gives
  std::vector<DType> dtypes;                     // of the outputs; empty: as the values are
};

// The expression that a text means for these tensors: *b becomes the dimensions that are there (of several operands
// with *b the union by name, those of the one with most first); x[i] gives i its extent and dimension. Error, with the
// column, for names that nothing has, sizes that disagree and extents that nothing gives.
//
//   bind(parseDefinition("y[i,j] = sum(k) a[i,k] * b[k,j]"), {.operands = {{"a", {"m", "k"}, {8, 4}}, {"b", {"k", "n"},
//   {4, 6}}}})
Expression bind(const Definition& definition, const Bindings& bindings);

// As numbers combine: of two floating types the wider, a floating type before an integer one, any before bool.
DType resultType(const Expression& expression, int node, const std::vector<DType>& operands);

}  // namespace core
