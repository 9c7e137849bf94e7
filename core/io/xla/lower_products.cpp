#include <algorithm>
#include <numeric>

#include "core/io/xla/lowerer.h"

// Products and convolutions.

namespace core::xla {
namespace {

using Site = Lowerer::Site;
using Made = std::optional<Terms>;
using Integers = std::vector<std::int64_t>;

// Products are taken in the type of the result where it is a float.
Term inTypeOf(Lowerer& lower, const Term& x, const Type& result) { return keptAs(result.element) && isFloating(lower.kept(result)) ? lower.cast(x, {result.element, x.type.sizes}) : x; }

Made dotGeneral(Lowerer& lower, const Site& site) {
  const Type& type = site.result();
  const Integers batch[2] = {site.instruction.integers("lhs_batching_dimensions"), site.instruction.integers("rhs_batching_dimensions")};
  const Integers summed[2] = {site.instruction.integers("lhs_contracting_dimensions"), site.instruction.integers("rhs_contracting_dimensions")};
  std::string letters[2], out, rest;
  char next = 'a';
  auto letter = [&] {
    const char made = next;
    next = next == 'z' ? 'A' : static_cast<char>(next + 1);
    return made;
  };
  for (int side = 0; side < 2; ++side) letters[side].assign(site.operands.at(static_cast<std::size_t>(side)).type.sizes.size(), ' ');
  if (letters[0].size() + letters[1].size() > 50 || batch[0].size() != batch[1].size() || summed[0].size() != summed[1].size()) return std::nullopt;
  for (std::size_t i = 0; i < batch[0].size(); ++i) out.push_back(letters[0].at(static_cast<std::size_t>(batch[0][i])) = letters[1].at(static_cast<std::size_t>(batch[1][i])) = letter());
  for (std::size_t i = 0; i < summed[0].size(); ++i) letters[0].at(static_cast<std::size_t>(summed[0][i])) = letters[1].at(static_cast<std::size_t>(summed[1][i])) = letter();
  for (std::string& side : letters)
    for (char& c : side)
      if (c == ' ') out.push_back(c = letter());
  const Term left = inTypeOf(lower, site.operands[0], type), right = inTypeOf(lower, site.operands[1], type);
  const int a = lower.whole(left), b = lower.whole(right);
  const int made = lower.node("Einsum", {a, b}, {{"equation", letters[0] + "," + letters[1] + "->" + out}}, type.sizes, lower.kept(type));
  return Terms{lower.wrapped({.type = type, .value = made, .splat = std::nullopt, .parts = nullptr})};
}

// Batch, features, then the spatial axes; x, then the order of `first`, `second` and the rest.
Term arranged(Lowerer& lower, const Term& x, std::int64_t first, std::int64_t second, const Integers& spatial) {
  Integers order{first, second};
  order.insert(order.end(), spatial.begin(), spatial.end());
  return lower.transpose(x, order);
}

// The batch of `groups` parts becomes groups of features: [g b, f, ...] -> [b, g f, ...].
Term groupsAsFeatures(Lowerer& lower, Term x, std::int64_t groups) {
  Sizes apart = x.type.sizes;
  apart[0] /= groups;
  apart.insert(apart.begin(), groups);
  Integers order(apart.size());
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[0], order[1]);
  Sizes joined = x.type.sizes;
  joined[0] /= groups;
  joined[1] *= groups;
  return lower.reshape(lower.transpose(lower.reshape(std::move(x), apart), order), joined);
}

// Elements of x apart by zeros are what a transposed convolution has; it reads its kernel the other way around. Padding p here
// is (K - 1) d - p there; more than that there is none.
Made convolutionTransposed(Lowerer& lower, Term x, Term w, const Integers& strides, const Integers& apart, const Integers& dilations, const Integers& padding, const Type& type) {
  const std::size_t rank = strides.size();
  Integers pads(2 * rank);
  for (std::size_t i = 0; i < rank; ++i) {
    const std::int64_t reach = (w.type.sizes.at(i + 2) - 1) * dilations[i];
    pads[i] = reach - padding[2 * i];
    pads[rank + i] = reach - padding[2 * i + 1];
    if (strides[i] != 1 || pads[i] < 0) return std::nullopt;
  }
  Integers more(rank);  // rows behind, where padding is wider than the kernel reaches
  for (std::size_t i = 0; i < rank; ++i) {
    more[i] = std::max<std::int64_t>(-pads[rank + i], 0);
    pads[rank + i] = std::max<std::int64_t>(pads[rank + i], 0);
    if (more[i] >= apart[i]) return std::nullopt;
    w = lower.reverse(std::move(w), i + 2);
  }
  Integers swapped(rank + 2);
  std::iota(swapped.begin(), swapped.end(), 0);
  std::swap(swapped[0], swapped[1]);
  w = lower.transpose(std::move(w), swapped);
  const int input = lower.whole(x), kernel = lower.whole(w);
  const Integers window(w.type.sizes.begin() + 2, w.type.sizes.end());
  Term y{.type = type, .splat = std::nullopt, .parts = nullptr};
  y.value = lower.node("ConvTranspose", {input, kernel}, {{"kernel_shape", window}, {"strides", apart}, {"dilations", dilations}, {"pads", pads}, {"output_padding", more}}, type.sizes, lower.kept(type));
  return Terms{y};
}

Made convolution(Lowerer& lower, const Site& site) {
  const Instruction& at = site.instruction;
  const Type& type = site.result();
  if (!isFloating(lower.kept(type))) return std::nullopt;
  Term x = arranged(lower, inTypeOf(lower, site.operands.at(0), type), at.integer("input_batch_dimension", 0), at.integer("input_feature_dimension", 1), at.integers("input_spatial_dimensions"));
  Term w = arranged(lower, inTypeOf(lower, site.operands.at(1), type), at.integer("kernel_output_feature_dimension", 0), at.integer("kernel_input_feature_dimension", 1), at.integers("kernel_spatial_dimensions"));
  const std::size_t rank = at.integers("input_spatial_dimensions").size();
  auto or1 = [&](const char* name) {
    Integers values = at.integers(name);
    values.resize(rank, 1);
    return values;
  };
  const Integers strides = or1("window_strides"), lhsDilation = or1("lhs_dilation"), rhsDilation = or1("rhs_dilation");
  Integers padding = at.integers("padding"), reversal = at.integers("window_reversal");
  padding.resize(2 * rank, 0);
  reversal.resize(rank, 0);
  const Term zero{.type = {type.element, {}}, .value = lower.number(0, lower.kept(type)), .splat = std::nullopt, .parts = nullptr};
  Integers low(rank + 2), high(rank + 2);
  Integers pads(2 * rank);
  for (std::size_t i = 0; i < rank; ++i)
    if (reversal[i] != 0) w = lower.reverse(std::move(w), i + 2);
  // The result as its own layout has it, and as the operator makes it.
  const Integers spatial = at.integers("output_spatial_dimensions");
  Integers order(rank + 2);
  order.at(static_cast<std::size_t>(at.integer("output_batch_dimension", 0))) = 0;
  order.at(static_cast<std::size_t>(at.integer("output_feature_dimension", 1))) = 1;
  Sizes made{type.sizes.at(static_cast<std::size_t>(at.integer("output_batch_dimension", 0))), type.sizes.at(static_cast<std::size_t>(at.integer("output_feature_dimension", 1)))};
  for (std::size_t i = 0; i < rank; ++i) {
    order.at(static_cast<std::size_t>(spatial.at(i))) = static_cast<std::int64_t>(i) + 2;
    made.push_back(type.sizes.at(static_cast<std::size_t>(spatial[i])));
  }
  const bool plain = at.integer("feature_group_count", 1) == 1 && at.integer("batch_group_count", 1) == 1;
  if (plain && std::any_of(lhsDilation.begin(), lhsDilation.end(), [](std::int64_t factor) { return factor > 1; }))
    if (Made transposed = convolutionTransposed(lower, x, w, strides, lhsDilation, rhsDilation, padding, {type.element, made})) return Terms{lower.transpose(transposed->front(), order)};
  for (std::size_t i = 0; i < rank; ++i) {
    x = lower.dilate(std::move(x), i + 2, lhsDilation[i], zero);
    low[i + 2] = std::min<std::int64_t>(padding[2 * i], 0);
    high[i + 2] = std::min<std::int64_t>(padding[2 * i + 1], 0);
    pads[i] = std::max<std::int64_t>(padding[2 * i], 0);
    pads[rank + i] = std::max<std::int64_t>(padding[2 * i + 1], 0);
  }
  x = lower.pad(std::move(x), low, high, zero);
  std::int64_t groups = at.integer("feature_group_count", 1);
  if (const std::int64_t parts = at.integer("batch_group_count", 1); parts > 1) {
    if (groups > 1) return std::nullopt;
    x = groupsAsFeatures(lower, std::move(x), parts);
    groups = parts;
  }
  if (rank == 0) {  // a product of matrices; the operator wants an axis to slide along
    for (Term* one : {&x, &w}) {
      Sizes longer = one->type.sizes;
      longer.push_back(1);
      *one = lower.reshape(std::move(*one), longer);
    }
  }
  const Sizes window = rank == 0 ? Sizes{1} : Sizes(w.type.sizes.begin() + 2, w.type.sizes.end());
  const int input = lower.whole(x), kernel = lower.whole(w);
  Sizes full = made;
  if (rank == 0) full.push_back(1);
  const std::size_t axes = std::max<std::size_t>(rank, 1);
  Integers steps = strides, holes = rhsDilation;
  steps.resize(axes, 1);
  holes.resize(axes, 1);
  pads.resize(2 * axes, 0);
  Term y{.type = {type.element, full}, .splat = std::nullopt, .parts = nullptr};
  y.value = lower.node("Conv", {input, kernel}, {{"kernel_shape", window}, {"strides", steps}, {"dilations", holes}, {"pads", pads}, {"group", groups}}, full, lower.kept(type));
  return Terms{lower.transpose(lower.reshape(std::move(y), made), order)};
}

}  // namespace

const std::map<std::string, LowerRule>& lowerProducts() {
  static const std::map<std::string, LowerRule> table{{"dot_general", dotGeneral}, {"convolution", convolution}};
  return table;
}

}  // namespace core::xla
