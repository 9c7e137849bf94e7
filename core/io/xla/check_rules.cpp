#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/io/xla/checker.h"

namespace core::xla {
namespace {

bool known(std::int64_t size) { return size >= 0; }
bool differ(std::int64_t a, std::int64_t b) { return known(a) && known(b) && a != b; }

void sameSizes(const Checked& at, const Type& a, const Type& b) {
  if (a.sizes.size() != b.sizes.size()) at.fail("its values have different numbers of axes");
  for (std::size_t i = 0; i < a.sizes.size(); ++i)
    if (differ(a.sizes[i], b.sizes[i])) at.fail(fmt::format("axis {} has the sizes {} and {}", i, a.sizes[i], b.sizes[i]));
}

void elementwise(const Checked& at, std::size_t count) {
  at.operands(count);
  for (std::size_t i = 0; i < count; ++i) sameSizes(at, at.operand(i), at.result());
}
void unary(const Checked& at) { elementwise(at, 1); }
void binary(const Checked& at) { elementwise(at, 2); }

void select(const Checked& at) {
  at.operands(3);
  if (at.rank() > 0) sameSizes(at, at.operand(0), at.result());
  for (std::size_t i : {1U, 2U}) sameSizes(at, at.operand(i), at.result());
}

void clamp(const Checked& at) {
  at.operands(3);
  for (std::size_t i : {0U, 2U})
    if (at.rank(i) > 0) sameSizes(at, at.operand(i), at.result());
  sameSizes(at, at.operand(1), at.result());
}

void broadcastInDim(const Checked& at) {
  at.operands(1);
  const Integers to = at.axes({"broadcast_dimensions"}, at.result().sizes.size());
  at.list("broadcast_dimensions", at.rank());
  for (std::size_t i = 0; i < to.size(); ++i) {
    const std::int64_t size = at.operand(0).sizes[i];
    if (size != 1 && differ(size, at.result().sizes[static_cast<std::size_t>(to[i])])) at.fail(fmt::format("axis {} of size {} becomes one of another size", i, size));
  }
}

void reshape(const Checked& at) {
  at.operands(1);
  const auto product = [](const Sizes& sizes) { return std::any_of(sizes.begin(), sizes.end(), [](std::int64_t size) { return !known(size); }) ? -1 : positional::product(sizes); };
  if (differ(product(at.operand(0).sizes), product(at.result().sizes))) at.fail("it makes another number of elements");
}

void transpose(const Checked& at) {
  at.operands(1);
  at.axes({"permutation"}, at.rank());
  at.list("permutation", at.rank());
}

void reverse(const Checked& at) {
  unary(at);
  at.axes({"dimensions"}, at.rank());
}

void concatenate(const Checked& at) {
  const std::size_t rank = at.rank();
  at.axis("dimension", rank);
  for (std::size_t i = 0; i < at.instruction.operands.size(); ++i)
    if (at.rank(i) != rank) at.fail("its operands have different numbers of axes");
}

void iota(const Checked& at) { at.axis("iota_dimension", at.result().sizes.size()); }

void slice(const Checked& at) {
  at.operands(1);
  const Integers starts = at.atLeast("start_indices", at.rank(), 0), limits = at.atLeast("limit_indices", at.rank(), 0);
  at.atLeast("strides", at.rank(), 1);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::int64_t size = at.operand(0).sizes[i];
    if (starts[i] > limits[i] || (known(size) && limits[i] > size)) at.fail(fmt::format("it goes from {} to {} on an axis of size {}", starts[i], limits[i], size));
  }
}

void pad(const Checked& at) {
  at.operands(2);
  const Integers low = at.atLeast("edge_padding_low", at.rank(), -Checked::largest), high = at.atLeast("edge_padding_high", at.rank(), -Checked::largest);
  const Integers between = at.atLeast("interior_padding", at.rank(), 0);
  if (at.rank(1) != 0) at.fail("what it fills in is no single number");
  for (std::size_t i = 0; i < low.size(); ++i) {
    const std::int64_t size = at.operand(0).sizes[i];
    if (known(size) && size + std::max<std::int64_t>(size - 1, 0) * between[i] + low[i] + high[i] < 0) at.fail(fmt::format("axis {} of size {} is cut to less than nothing", i, size));
  }
}

void scalars(const Checked& at, std::size_t from, std::size_t count) {
  at.operands(from + count);
  for (std::size_t i = from; i < from + count; ++i)
    if (at.rank(i) != 0) at.fail(fmt::format("operand {} is no single number", i));
}

void dynamicSlice(const Checked& at) {
  scalars(at, 1, at.rank());
  const Integers sizes = at.atLeast("slice_sizes", at.rank(), 0);
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (known(at.operand(0).sizes[i]) && sizes[i] > at.operand(0).sizes[i]) at.fail(fmt::format("{} are taken of an axis of size {}", sizes[i], at.operand(0).sizes[i]));
}

void dynamicUpdateSlice(const Checked& at) {
  scalars(at, 2, at.rank());
  sameSizes(at, at.operand(0), at.result());
  if (at.rank(1) != at.rank()) at.fail("the part has another number of axes than the whole");
  for (std::size_t i = 0; i < at.rank(); ++i)
    if (known(at.operand(0).sizes[i]) && at.operand(1).sizes[i] > at.operand(0).sizes[i]) at.fail("the part is larger than the whole");
}

void dotGeneral(const Checked& at) {
  at.operands(2);
  const Integers left = at.axes({"lhs_batching_dimensions", "lhs_contracting_dimensions"}, at.rank(0));
  const Integers right = at.axes({"rhs_batching_dimensions", "rhs_contracting_dimensions"}, at.rank(1));
  if (left.size() != right.size() || at.instruction.integers("lhs_batching_dimensions").size() != at.instruction.integers("rhs_batching_dimensions").size()) at.fail("its sides name different numbers of axes");
  for (std::size_t i = 0; i < left.size(); ++i)
    if (differ(at.operand(0).sizes[static_cast<std::size_t>(left[i])], at.operand(1).sizes[static_cast<std::size_t>(right[i])])) at.fail("axes of different sizes meet");
}

void windows(const Checked& at, const char* dimensions, const char* base, const char* window, std::size_t count) {
  if (dimensions) at.atLeast(dimensions, count, 1);
  at.atLeast("window_strides", count, 1);
  if (base) at.atLeast(base, count, 1);
  if (window) at.atLeast(window, count, 1);
  at.atLeast("padding", 2 * count, -Checked::largest);
}

void convolution(const Checked& at) {
  at.operands(2);
  const std::size_t rank = at.rank();
  if (rank < 2 || at.rank(1) != rank || at.result().sizes.size() != rank) at.fail("its values have different numbers of axes, or fewer than two");
  struct Side {
    const char *first, *second, *spatial;
  };
  for (const Side& side : {Side{"input_batch_dimension", "input_feature_dimension", "input_spatial_dimensions"}, Side{"kernel_input_feature_dimension", "kernel_output_feature_dimension", "kernel_spatial_dimensions"},
                           Side{"output_batch_dimension", "output_feature_dimension", "output_spatial_dimensions"}}) {
    std::set<std::int64_t> all{static_cast<std::int64_t>(at.axis(side.first, rank)), static_cast<std::int64_t>(at.axis(side.second, rank))};
    at.axes({side.spatial}, rank);
    for (std::int64_t axis : at.list(side.spatial, rank - 2)) all.insert(axis);
    if (all.size() != rank) at.fail("an axis stands twice");
  }
  windows(at, nullptr, "lhs_dilation", "rhs_dilation", rank - 2);
  at.list("window_reversal", rank - 2);
  if (at.instruction.integer("feature_group_count", 1) < 1 || at.instruction.integer("batch_group_count", 1) < 1) at.fail("it has no group");
}

// n operands and n initial numbers, and a computation of twice as many.
std::size_t reduced(const Checked& at) {
  const std::size_t count = at.instruction.operands.size() / 2;
  if (count == 0) at.fail("it reduces nothing");
  scalars(at, count, count);
  for (std::size_t i = 1; i < count; ++i) sameSizes(at, at.operand(0), at.operand(i));
  if (at.instruction.computations.size() != 1) at.fail("it applies no computation");
  const Computation& applied = at.module.computations[static_cast<std::size_t>(at.instruction.computations[0])];
  if (applied.parameters.size() != 2 * count + at.instruction.captured.size() || applied.results.size() != count) at.fail("it applies a computation of other values");
  return count;
}

void reduce(const Checked& at) {
  reduced(at);
  at.axes({"dimensions"}, at.rank());
}

void reduceWindow(const Checked& at) {
  reduced(at);
  windows(at, "window_dimensions", "base_dilations", "window_dilations", at.rank());
}

void selectAndScatter(const Checked& at) {
  at.operands(3);
  windows(at, "window_dimensions", nullptr, nullptr, at.rank());
  if (at.rank(1) != at.rank() || at.rank(2) != 0 || at.instruction.computations.size() != 2) at.fail("its values have different numbers of axes, or it applies no two computations");
}

void sort(const Checked& at) {
  at.axis("dimension", at.rank());
  for (std::size_t i = 0; i < at.instruction.operands.size(); ++i) sameSizes(at, at.operand(0), at.operand(i));
  if (at.instruction.computations.size() != 1) at.fail("it compares by no computation");
  const Computation& applied = at.module.computations[static_cast<std::size_t>(at.instruction.computations[0])];
  if (applied.parameters.size() != 2 * at.instruction.operands.size() + at.instruction.captured.size() || applied.results.size() != 1) at.fail("it compares by a computation of other values");
}

// How many numbers make an index, and in how many axes the indices lie.
std::pair<std::int64_t, std::size_t> indexed(const Checked& at, const Type& indices) {
  const std::int64_t axis = at.instruction.integer("index_vector_dim", 0);
  const auto rank = static_cast<std::int64_t>(indices.sizes.size());
  if (axis < 0 || axis > rank) at.fail(fmt::format("index_vector_dim is {}, there are {} axes", axis, rank));
  return axis == rank ? std::pair(std::int64_t{1}, indices.sizes.size()) : std::pair(indices.sizes[static_cast<std::size_t>(axis)], indices.sizes.size() - 1);
}

void gather(const Checked& at) {
  at.operands(2);
  const auto [numbers, behind] = indexed(at, at.operand(1));
  const Integers dropped = at.axes({"collapsed_slice_dims", "operand_batching_dims"}, at.rank());
  const Integers map = at.axes({"start_index_map"}, at.rank()), offset = at.axes({"offset_dims"}, at.result().sizes.size());
  at.axes({"start_indices_batching_dims"}, at.rank(1));
  const Integers sizes = at.atLeast("slice_sizes", at.rank(), 0);
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (known(at.operand(0).sizes[i]) && sizes[i] > at.operand(0).sizes[i]) at.fail(fmt::format("{} are taken of an axis of size {}", sizes[i], at.operand(0).sizes[i]));
  for (std::int64_t axis : dropped)
    if (sizes[static_cast<std::size_t>(axis)] > 1) at.fail(fmt::format("axis {} is left out, but {} are taken of it", axis, sizes[static_cast<std::size_t>(axis)]));
  if (differ(numbers, static_cast<std::int64_t>(map.size())) || offset.size() + dropped.size() != at.rank() || offset.size() + behind != at.result().sizes.size() ||
      at.instruction.integers("operand_batching_dims").size() != at.instruction.integers("start_indices_batching_dims").size())
    at.fail("its lists do not make up the axes of its values");
}

void scatter(const Checked& at) {
  const std::size_t count = at.instruction.operands.size() / 3;
  if (count == 0 || at.instruction.operands.size() != 2 * count + 1) at.fail(fmt::format("it has {} operands", at.instruction.operands.size()));
  const Type& updates = at.operand(count + 1);
  const auto [numbers, behind] = indexed(at, at.operand(count));
  const Integers inserted = at.axes({"inserted_window_dims", "input_batching_dims"}, at.rank());
  const Integers map = at.axes({"scatter_dims_to_operand_dims"}, at.rank()), window = at.axes({"update_window_dims"}, updates.sizes.size());
  at.axes({"scatter_indices_batching_dims"}, at.rank(count));
  for (std::size_t i = 0; i < count; ++i) {
    sameSizes(at, at.operand(0), at.operand(i));
    sameSizes(at, updates, at.operand(count + 1 + i));
  }
  if (at.instruction.computations.size() != 1 || differ(numbers, static_cast<std::int64_t>(map.size())) || window.size() + inserted.size() != at.rank() || window.size() + behind != updates.sizes.size() ||
      at.instruction.integers("input_batching_dims").size() != at.instruction.integers("scatter_indices_batching_dims").size())
    at.fail("its lists do not make up the axes of its values");
}

void topK(const Checked& at) {
  at.operands(1);
  const std::int64_t k = at.instruction.integer("k", -1);
  if (at.rank() == 0 || k < 0 || (known(at.operand(0).sizes.back()) && k > at.operand(0).sizes.back())) at.fail("it takes more than there are");
}

}  // namespace

const std::map<std::string, void (*)(const Checked&)>& checkRules() {
  static const std::map<std::string, void (*)(const Checked&)> table = [] {
    std::map<std::string, void (*)(const Checked&)> rules{
        {"select", select}, {"clamp", clamp}, {"broadcast_in_dim", broadcastInDim}, {"reshape", reshape}, {"transpose", transpose}, {"reverse", reverse}, {"concatenate", concatenate}, {"iota", iota}, {"slice", slice}, {"pad", pad},
        {"dynamic_slice", dynamicSlice}, {"dynamic_update_slice", dynamicUpdateSlice}, {"dot_general", dotGeneral}, {"convolution", convolution}, {"reduce", reduce}, {"reduce_window", reduceWindow},
        {"select_and_scatter", selectAndScatter}, {"sort", sort}, {"gather", gather}, {"scatter", scatter}, {"top_k", topK}};
    for (const char* opcode : {"abs", "cbrt", "ceil", "convert", "cosine", "count_leading_zeros", "exponential", "exponential_minus_one", "floor", "imag", "is_finite", "log", "log_plus_one", "logistic", "negate", "not", "popcnt", "real",
                               "reduce_precision", "round_nearest_afz", "round_nearest_even", "rsqrt", "sign", "sine", "sqrt", "tan", "tanh", "erf", "erf_inv", "erfc", "lgamma", "digamma", "acos", "asin", "atan", "acosh", "asinh", "atanh", "sinh", "cosh"})
      rules[opcode] = unary;
    for (const char* opcode : {"add", "and", "atan2", "compare", "complex", "divide", "maximum", "minimum", "multiply", "or", "power", "remainder", "shift_left", "shift_right_arithmetic", "shift_right_logical", "subtract", "xor", "next_after"})
      rules[opcode] = binary;
    return rules;
  }();
  return table;
}

}  // namespace core::xla
