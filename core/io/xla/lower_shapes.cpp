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
using Attributes = Lowerer::Attributes;

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

const Instruction* makerOf(const Computation& computation, int value) {
  for (const Instruction& one : computation.instructions)
    for (int result : one.results)
      if (result == value) return &one;
  return nullptr;
}

const Instruction* makerOf(const Site& site, std::size_t operand) { return makerOf(site.computation, site.instruction.operands.at(operand)); }

// Whether the elements of the operand are their own places along the axis.
bool counts(const Site& site, std::size_t operand, std::int64_t axis) {
  const Instruction* made = makerOf(site, operand);
  if (made == nullptr) return false;
  if (made->opcode == "iota") return made->integer("iota_dimension", -1) == axis;
  if (made->opcode != "reshape" && made->opcode != "broadcast_in_dim") return false;
  const Instruction* inner = makerOf(site.computation, made->operands.at(0));
  const Sizes& sizes = site.operands.at(operand).type.sizes;
  if (inner == nullptr || inner->opcode != "iota" || site.computation.values[static_cast<std::size_t>(inner->results.at(0))].type.sizes != Sizes{sizes.at(static_cast<std::size_t>(axis))}) return false;
  if (made->opcode == "broadcast_in_dim") return made->integers("broadcast_dimensions") == std::vector<std::int64_t>{axis};
  return positional::product(sizes) == sizes[static_cast<std::size_t>(axis)];
}

// How the elements and their places are chosen by a reduction over both, as JAX writes argmax and argmin: greater (or less), at
// equal ones the lower place, and NaN before all.
std::optional<std::string> chosenBy(Lowerer& lower, int computation) {
  const Computation& body = lower.module().computations.at(static_cast<std::size_t>(computation));
  if (body.parameters.size() != 4 || body.results.size() != 2) return std::nullopt;
  std::string direction;
  int selects = 0;
  for (const Instruction& one : body.instructions) {
    if (one.opcode == "select") ++selects;
    else if (one.opcode == "compare") {
      const std::vector<int> values{body.parameters[0], body.parameters[2]};
      const std::string found = one.text("comparison_direction", "");
      if (one.operands == values && (found == "GT" || found == "LT")) direction = found;
      else if (found != "NE" && found != "EQ" && !(found == "LT" && one.operands == std::vector<int>{body.parameters[1], body.parameters[3]})) return std::nullopt;
    } else if (one.opcode != "or" && one.opcode != "and") {
      return std::nullopt;
    }
  }
  if (selects != 2 || direction.empty()) return std::nullopt;
  return direction == "GT" ? "ArgMax" : "ArgMin";
}

// The greatest element and its place. The second operand must count the axis.
Made arg(Lowerer& lower, const Site& site) {
  const std::vector<std::int64_t> axes = site.instruction.integers("dimensions");
  const std::optional<std::string> type = chosenBy(lower, site.instruction.computations.at(0));
  if (!type || axes.size() != 1 || !counts(site, 1, axes[0])) return std::nullopt;
  const bool most = *type == "ArgMax";
  const Type& values = site.result(0);
  const Type& indices = site.result(1);
  const Attributes along{{"axis", axes[0]}, {"keepdims", std::int64_t{0}}}, over{{"axes", axes}, {"keepdims", std::int64_t{0}}};
  auto place = [&](const char* kind, const Term& of) { return Term{.type = {"s64", indices.sizes}, .value = lower.node(kind, {lower.whole(of)}, along, indices.sizes, DType::i64), .splat = std::nullopt, .parts = nullptr}; };
  auto reduced = [&](const char* kind, const Term& of, const Type& made) { return Term{.type = made, .value = lower.node(kind, {lower.whole(of)}, over, made.sizes, lower.kept(made)), .splat = std::nullopt, .parts = nullptr}; };
  Term x = site.operands[0];
  if (!isFloating(lower.kept(values))) return Terms{reduced(most ? "ReduceMax" : "ReduceMin", x, values), lower.cast(place(type->c_str(), x), indices)};
  // The first NaN, if there is one; the others must not see it.
  const Term isNan = lower.apply("IsNaN", {x}, {"pred", x.type.sizes});
  const Term nans = lower.cast(isNan, {"s32", x.type.sizes});
  const Term any = lower.cast(reduced("ReduceMax", nans, {"s32", values.sizes}), {"pred", values.sizes});
  const Type one{values.element, {}};
  const Term least{.type = one, .value = lower.number(most ? -INFINITY : INFINITY, lower.kept(one)), .splat = std::nullopt, .parts = nullptr};
  const Term nan{.type = one, .value = lower.number(NAN, lower.kept(one)), .splat = std::nullopt, .parts = nullptr};
  x = lower.apply("Where", {isNan, least, x}, x.type);
  const Term best = lower.apply("Where", {any, nan, reduced(most ? "ReduceMax" : "ReduceMin", x, values)}, values);
  const Term at = lower.apply("Where", {any, place("ArgMax", nans), place(type->c_str(), x)}, {"s64", indices.sizes});
  return Terms{best, lower.cast(at, indices)};
}

Made reduce(Lowerer& lower, const Site& site) {
  if (site.operands.size() == 4) return arg(lower, site);
  if (site.operands.size() != 2) return std::nullopt;
  std::string opcode;
  if (!lower.isBinary(site.instruction.computations.at(0), opcode)) return std::nullopt;
  Term x = site.operands[0];
  const bool truths = x.type.element == "pred";
  const std::optional<Reduction> reduction = reductionOf(opcode, truths);
  if (!reduction || (x.type.element == "u64" && opcode != "add" && opcode != "multiply")) return std::nullopt;
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
  made = lower.wrapped(lower.cast(made, type));
  if (isIdentity(makerOf(site, 1), site.operands[1], reduction->identity)) return Terms{made};
  static const std::map<std::string, std::string> joining{{"add", "Add"}, {"multiply", "Mul"}, {"maximum", "Max"}, {"minimum", "Min"}, {"and", "And"}, {"or", "Or"}};
  if (truths && (opcode == "maximum" || opcode == "minimum")) return Terms{lower.apply(opcode == "maximum" ? "Or" : "And", {made, site.operands[1]}, type)};
  return Terms{lower.wrapped(lower.apply(joining.at(opcode), {made, site.operands[1]}, type))};
}

}  // namespace

const std::map<std::string, LowerRule>& lowerShapes() {
  static const std::map<std::string, LowerRule> table{{"broadcast_in_dim", broadcast}, {"reshape", reshape}, {"transpose", transpose}, {"slice", slice}, {"pad", pad}, {"concatenate", concatenate}, {"reverse", reverse}, {"iota", iota}, {"reduce", reduce}};
  return table;
}

}  // namespace core::xla
