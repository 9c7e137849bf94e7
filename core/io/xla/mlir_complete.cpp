#include "core/io/xla/mlir_complete.h"

#include <algorithm>
#include <numeric>

namespace core::xla {
namespace {

using Integers = std::vector<std::int64_t>;

enum class Count { one, axes, sides, spatial, spatialSides };  // of the first operand: axes, or two sides each

struct Usual {
  std::string_view opcode;
  const char* attribute;
  std::int64_t value;
  Count count;
};

constexpr Usual usuals[] = {
    {"slice", "strides", 1, Count::axes},
    {"reduce_window", "window_strides", 1, Count::axes},
    {"reduce_window", "base_dilations", 1, Count::axes},
    {"reduce_window", "window_dilations", 1, Count::axes},
    {"reduce_window", "padding", 0, Count::sides},
    {"select_and_scatter", "window_dimensions", 1, Count::axes},
    {"select_and_scatter", "window_strides", 1, Count::axes},
    {"select_and_scatter", "padding", 0, Count::sides},
    {"convolution", "window_strides", 1, Count::spatial},
    {"convolution", "padding", 0, Count::spatialSides},
    {"convolution", "lhs_dilation", 1, Count::spatial},
    {"convolution", "rhs_dilation", 1, Count::spatial},
    {"convolution", "window_reversal", 0, Count::spatial},
    {"convolution", "feature_group_count", 1, Count::one},
    {"convolution", "batch_group_count", 1, Count::one},
    {"gather", "index_vector_dim", 0, Count::one},
    {"scatter", "index_vector_dim", 0, Count::one},
    {"sort", "dimension", -1, Count::one},
    {"sort", "is_stable", 0, Count::one},
};

Attribute valueOf(const Usual& usual, std::size_t rank) {
  if (usual.count == Count::one) return usual.value;
  if (usual.count == Count::spatial || usual.count == Count::spatialSides) rank -= std::min<std::size_t>(rank, 2);
  return Integers(usual.count == Count::sides || usual.count == Count::spatialSides ? 2 * rank : rank, usual.value);
}

Integers counted(std::size_t count, std::size_t from) {
  Integers all(count);
  std::iota(all.begin(), all.end(), static_cast<std::int64_t>(from));
  return all;
}

// The last axis of the left side by the first of the right.
void dot(Instruction& instruction, const std::vector<Type>& operands, const std::vector<Type>&) {
  instruction.opcode = "dot_general";
  instruction.attributes["lhs_contracting_dimensions"] = counted(1, operands[0].sizes.empty() ? 0 : operands[0].sizes.size() - 1);
  instruction.attributes["rhs_contracting_dimensions"] = counted(1, 0);
}

// New axes stand before the old ones.
void broadcast(Instruction& instruction, const std::vector<Type>& operands, const std::vector<Type>& results) {
  const std::size_t rank = operands[0].sizes.size(), wanted = results.empty() ? rank : results[0].sizes.size();
  instruction.opcode = "broadcast_in_dim";
  instruction.attributes.erase("broadcast_sizes");
  instruction.attributes["broadcast_dimensions"] = counted(rank, wanted - std::min(rank, wanted));
}

void sort(Instruction& instruction, const std::vector<Type>& operands, const std::vector<Type>&) {
  auto& dimension = std::get<std::int64_t>(instruction.attributes["dimension"]);
  if (dimension < 0) dimension += static_cast<std::int64_t>(operands[0].sizes.size());
}

struct Rewrite {
  std::string_view opcode;
  void (*apply)(Instruction&, const std::vector<Type>& operands, const std::vector<Type>& results);
};

constexpr Rewrite rewrites[] = {{"dot", dot}, {"broadcast", broadcast}, {"sort", sort}};

}  // namespace

void complete(Instruction& instruction, const std::vector<Type>& operands, const std::vector<Type>& results) {
  if (operands.empty()) return;
  const std::string opcode = instruction.opcode;
  for (const Usual& usual : usuals)
    if (usual.opcode == opcode) instruction.attributes.emplace(usual.attribute, valueOf(usual, operands[0].sizes.size()));
  for (const Rewrite& rewrite : rewrites)
    if (rewrite.opcode == opcode) rewrite.apply(instruction, operands, results);
}

}  // namespace core::xla
