#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/io/positional.h"

// A program as XLA's compilers write it down, in HLO text or in StableHLO (MLIR) text. Both are read into this one form, whose
// opcodes and attributes are StableHLO's (https://openxla.org/stablehlo/spec), without the dialect: "dot_general", "erf_inv".
//
//   Module module = xla::parseHlo(text, path);        // or xla::parseStableHlo
//   positional::Model model = xla::lower(module);     // operators that the rest of the import knows
//
// What HLO writes otherwise comes out as StableHLO has it: `broadcast` is broadcast_in_dim, `dot` dot_general, tuples are
// taken apart (neither tuple nor get_tuple_element is left).

namespace core::xla {

using Sizes = positional::Sizes;

struct Type {
  std::string element;  // as HLO writes it: pred, s8..s64, u8..u64, f16, bf16, f32, f64, c64, c128, f8e4m3fn, token
  Sizes sizes;
  bool operator==(const Type&) const = default;
};

// How a value lies on the module's mesh: the axes of each of its axes, major first. Axes of size 1 are left out.
struct Sharding {
  std::vector<std::vector<std::string>> axes;
  bool operator==(const Sharding&) const = default;
};

struct Value {
  std::string name;  // unique within its computation, without '%'
  Type type;
  std::optional<Sharding> sharding;
};

// Lists of pairs are flat: padding [low, high, low, high].
using Attribute = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>>;

// Attributes that are no plain copy of StableHLO's:
//   dot_general   lhs_batching_dimensions rhs_batching_dimensions lhs_contracting_dimensions rhs_contracting_dimensions
//   convolution   input_batch_dimension input_feature_dimension input_spatial_dimensions, kernel_input_feature_dimension
//                 kernel_output_feature_dimension kernel_spatial_dimensions, output_batch_dimension output_feature_dimension
//                 output_spatial_dimensions, window_strides padding lhs_dilation rhs_dilation window_reversal (0 or 1),
//                 feature_group_count batch_group_count
//   gather        offset_dims collapsed_slice_dims operand_batching_dims start_indices_batching_dims start_index_map
//                 index_vector_dim slice_sizes
//   scatter       update_window_dims inserted_window_dims input_batching_dims scatter_indices_batching_dims
//                 scatter_dims_to_operand_dims index_vector_dim
//   compare       comparison_direction, compare_type where given
//   slice         start_indices limit_indices strides (always there)
//   pad           edge_padding_low edge_padding_high interior_padding
//   reduce_window window_dimensions window_strides base_dilations window_dilations padding (always there)
//   while         computations: condition, body        case, if   computations: one a branch
//   custom_call   call_target_name, backend_config where it is a text
struct Instruction {
  std::string opcode;
  std::string scope;  // where in the program's source it stands: "decoder/layers/mlp", or ""
  std::map<std::string, Attribute> attributes;
  std::vector<int> operands;      // values of the computation
  std::vector<int> captured;      // values that its computations read besides: their last parameters
  std::vector<int> results;
  std::vector<int> computations;  // what it calls, applies or repeats
  positional::DataPtr literal;    // of a constant; nothing where its element type is none that positional::Data holds
  std::int64_t line = 0;          // in the file, from 1

  std::int64_t integer(const std::string& name, std::int64_t missing) const;
  std::string text(const std::string& name, const std::string& missing) const;
  std::vector<std::int64_t> integers(const std::string& name) const;  // empty where missing
};

struct Computation {
  std::string name;
  std::vector<Value> values;
  std::vector<int> parameters;
  std::vector<Instruction> instructions;  // each after those that make its operands
  std::vector<int> results;
  std::vector<std::optional<Sharding>> resultShardings;  // one a result, or empty
};

using Axis = MeshAxis;

struct Module {
  std::string format;  // "HLO", "StableHLO"
  std::string name;
  std::int64_t partitions = 1;
  std::vector<Axis> mesh;  // major first; without axes of size 1
  std::vector<Computation> computations;
  int entry = -1;
  std::int64_t instructions = 0;  // as counted in the file, before calls are inlined
};

// The element type in which values of `element` are kept here; nothing for complex numbers, tokens and 8-bit floats. `exact`
// tells whether it has the same range: u8 does not wrap in an i32.
struct Kept {
  DType dtype = DType::f32;
  bool exact = true;
};
std::optional<Kept> keptAs(std::string_view element);

// The bits of whole numbers that are kept wider than they are, and do not wrap by themselves: u8 8, s16 16, u32 32. 0 for all others;
// u64, which is kept narrower, is none of them.
int wrapsAt(std::string_view element);

}  // namespace core::xla
