#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/error.h"
#include "core/io/xla/lowerer.h"

// What moves elements by position, and reductions.

namespace core::xla {
namespace {

using Site = Lowerer::Site;
using Made = std::optional<Terms>;

// Axes in their order, axes of size 1 for those that are new; nothing is repeated.
Made broadcast(Lowerer& lower, const Site& site) {
  Term x = site.operands.at(0);
  std::vector<std::int64_t> axes = site.instruction.integers("broadcast_dimensions");
  const Sizes& sizes = site.result().sizes;
  if (axes.size() != x.type.sizes.size()) return std::nullopt;
  if (!std::is_sorted(axes.begin(), axes.end())) {
    std::vector<std::int64_t> order(axes.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) { return axes[static_cast<std::size_t>(a)] < axes[static_cast<std::size_t>(b)]; });
    x = lower.transpose(x, order);
    std::sort(axes.begin(), axes.end());
  }
  Sizes apart(sizes.size(), 1);
  for (std::size_t i = 0; i < axes.size(); ++i) apart.at(static_cast<std::size_t>(axes[i])) = x.type.sizes[i];
  const std::optional<std::int64_t> splat = x.splat;
  x = lower.reshape(std::move(x), apart);
  x.splat = splat;
  x.type.sizes = sizes;
  return Terms{x};
}

Made reshape(Lowerer& lower, const Site& site) {
  const std::optional<std::int64_t> splat = site.operands.at(0).splat;
  Term made = lower.reshape(site.operands[0], site.result().sizes);
  made.splat = splat;
  return Terms{made};
}

Made transpose(Lowerer& lower, const Site& site) { return Terms{lower.transpose(site.operands.at(0), site.instruction.integers("permutation"))}; }

Made slice(Lowerer& lower, const Site& site) {
  const auto starts = site.instruction.integers("start_indices"), limits = site.instruction.integers("limit_indices"), strides = site.instruction.integers("strides");
  Term x = site.operands.at(0);
  for (std::size_t i = 0; i < x.type.sizes.size(); ++i) x = lower.slice(std::move(x), i, starts.at(i), limits.at(i), strides.at(i));
  return Terms{x};
}

Made pad(Lowerer& lower, const Site& site) {
  Term x = site.operands.at(0);
  const auto between = site.instruction.integers("interior_padding");
  for (std::size_t i = 0; i < between.size(); ++i) x = lower.dilate(std::move(x), i, between[i] + 1, site.operands.at(1));
  return Terms{lower.pad(std::move(x), site.instruction.integers("edge_padding_low"), site.instruction.integers("edge_padding_high"), site.operands.at(1))};
}

Made concatenate(Lowerer& lower, const Site& site) { return Terms{lower.concat(site.operands, static_cast<std::size_t>(site.instruction.integer("dimension", 0)))}; }

Made reverse(Lowerer& lower, const Site& site) {
  Term x = site.operands.at(0);
  for (std::int64_t axis : site.instruction.integers("dimensions")) x = lower.reverse(std::move(x), static_cast<std::size_t>(axis));
  return Terms{x};
}

Made iota(Lowerer& lower, const Site& site) {
  const auto axis = static_cast<std::size_t>(site.instruction.integer("iota_dimension", 0));
  const Sizes& sizes = site.result().sizes;
  Sizes apart(sizes.size(), 1);
  apart.at(axis) = sizes[axis];
  Term made = lower.reshape(lower.iota(sizes[axis], site.result().element), apart);
  made.type.sizes = sizes;
  return Terms{made};
}

struct Reduction {
  const char* type;
  double identity;
};

std::optional<Reduction> reductionOf(const std::string& opcode, bool truths) {
  static const std::map<std::string, Reduction> numbers{{"add", {"ReduceSum", 0}}, {"multiply", {"ReduceProd", 1}}, {"maximum", {"ReduceMax", -INFINITY}}, {"minimum", {"ReduceMin", INFINITY}}};
  static const std::map<std::string, Reduction> logic{{"and", {"ReduceMin", 1}}, {"or", {"ReduceMax", 0}}, {"maximum", {"ReduceMax", 0}}, {"minimum", {"ReduceMin", 1}}};
  const auto& table = truths ? logic : numbers;
  auto found = table.find(opcode);
  return found == table.end() ? std::nullopt : std::optional(found->second);
}

// Whether the value is the number that changes nothing.
bool isIdentity(const Instruction* made, const Term& start, double identity) {
  if (start.splat && std::isfinite(identity)) return static_cast<double>(*start.splat) == identity;
  return made != nullptr && made->literal && made->literal->floating() && made->literal->count() == 1 && made->literal->reals[0] == identity;
}

const Instruction* makerOf(const Site& site, std::size_t operand) {
  for (const Instruction& one : site.computation.instructions)
    for (int result : one.results)
      if (result == site.instruction.operands.at(operand)) return &one;
  return nullptr;
}

Made reduce(Lowerer& lower, const Site& site) {
  if (site.operands.size() != 2) return std::nullopt;
  std::string opcode;
  if (!lower.isBinary(site.instruction.computations.at(0), opcode)) return std::nullopt;
  Term x = site.operands[0];
  const bool truths = x.type.element == "pred";
  const std::optional<Reduction> reduction = reductionOf(opcode, truths);
  if (!reduction || (!keptAs(x.type.element)->exact && opcode != "maximum" && opcode != "minimum")) return std::nullopt;
  const std::vector<std::int64_t> axes = site.instruction.integers("dimensions");
  const Type type = site.result();
  const std::string element = truths ? "s32" : type.element;
  if (truths) x = lower.cast(x, {element, x.type.sizes});
  Term made{.type = {element, type.sizes}, .value = lower.whole(x), .splat = std::nullopt, .parts = nullptr};
  if (!axes.empty()) {
    const DType dtype = lower.kept(made.type);
    if (opcode == "add") made.value = lower.node(reduction->type, {made.value, lower.integers(axes)}, {{"keepdims", std::int64_t{0}}}, type.sizes, dtype);
    else made.value = lower.node(reduction->type, {made.value}, {{"axes", axes}, {"keepdims", std::int64_t{0}}}, type.sizes, dtype);
  }
  made = lower.cast(made, type);
  if (isIdentity(makerOf(site, 1), site.operands[1], reduction->identity)) return Terms{made};
  static const std::map<std::string, std::string> joining{{"add", "Add"}, {"multiply", "Mul"}, {"maximum", "Max"}, {"minimum", "Min"}, {"and", "And"}, {"or", "Or"}};
  if (truths && (opcode == "maximum" || opcode == "minimum")) return Terms{lower.apply(opcode == "maximum" ? "Or" : "And", {made, site.operands[1]}, type)};
  return Terms{lower.apply(joining.at(opcode), {made, site.operands[1]}, type)};
}

}  // namespace

const std::map<std::string, LowerRule>& lowerShapes() {
  static const std::map<std::string, LowerRule> table{{"broadcast_in_dim", broadcast}, {"reshape", reshape}, {"transpose", transpose}, {"slice", slice}, {"pad", pad}, {"concatenate", concatenate}, {"reverse", reverse}, {"iota", iota}, {"reduce", reduce}};
  return table;
}

}  // namespace core::xla
