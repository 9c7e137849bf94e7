#include <algorithm>
#include <set>

#include "core/io/xla/lowerer.h"

// Element by element, and what moves nothing: constants, conversions, choices.

namespace core::xla {
namespace {

using Site = Lowerer::Site;
using Made = std::optional<Terms>;

// u64 is kept in 63 bits and a sign: what reads its size is not computed.
bool losesSize(const Site& site) {
  static const std::set<std::string> reads{"divide", "remainder", "maximum", "minimum", "compare", "convert", "power", "abs", "sign", "clamp"};
  const auto isU64 = [](const Type& type) { return type.element == "u64"; };
  return reads.count(site.instruction.opcode) > 0 && (isU64(site.result()) || std::any_of(site.operands.begin(), site.operands.end(), [&](const Term& one) { return isU64(one.type); }));
}

const std::map<std::string, std::string>& plain() {
  static const std::map<std::string, std::string> table{
      {"add", "Add"}, {"subtract", "Sub"}, {"multiply", "Mul"}, {"divide", "Div"}, {"maximum", "Max"}, {"minimum", "Min"}, {"power", "Pow"}, {"negate", "Neg"}, {"abs", "Abs"}, {"sign", "Sign"},
      {"exponential", "Exp"}, {"log", "Log"}, {"sqrt", "Sqrt"}, {"sine", "Sin"}, {"cosine", "Cos"}, {"tan", "Tan"}, {"tanh", "Tanh"}, {"logistic", "Sigmoid"}, {"floor", "Floor"}, {"ceil", "Ceil"},
      {"round_nearest_even", "Round"}, {"erf", "Erf"}, {"acos", "Acos"}, {"asin", "Asin"}, {"atan", "Atan"}, {"acosh", "Acosh"}, {"asinh", "Asinh"}, {"atanh", "Atanh"}, {"sinh", "Sinh"}, {"cosh", "Cosh"}};
  return table;
}

std::int64_t wrapped(std::uint64_t value, const std::string& element) {
  return element == "s32" ? static_cast<std::int32_t>(static_cast<std::uint32_t>(value)) : static_cast<std::int64_t>(value);
}

// Of whole numbers that are known: what counts the steps of a loop.
std::optional<std::int64_t> evaluated(const Site& site) {
  const std::string& opcode = site.instruction.opcode;
  const std::string& element = site.result().element;
  for (const Term& operand : site.operands)
    if (!operand.splat) return std::nullopt;
  auto at = [&](std::size_t i) { return *site.operands.at(i).splat; };
  auto bits = [&](std::size_t i) { return static_cast<std::uint64_t>(at(i)); };
  if (element != "s32" && element != "s64" && element != "pred") return std::nullopt;
  if (opcode == "add") return wrapped(bits(0) + bits(1), element);
  if (opcode == "subtract") return wrapped(bits(0) - bits(1), element);
  if (opcode == "multiply") return wrapped(bits(0) * bits(1), element);
  if (opcode == "negate") return wrapped(-bits(0), element);
  if (opcode == "maximum") return std::max(at(0), at(1));
  if (opcode == "minimum") return std::min(at(0), at(1));
  if (opcode == "and" && element == "pred") return at(0) & at(1);
  if (opcode == "or" && element == "pred") return at(0) | at(1);
  if (opcode == "not" && element == "pred") return 1 - at(0);
  if (opcode == "select") return at(0) != 0 ? at(1) : at(2);
  if ((opcode == "divide" || opcode == "remainder") && at(1) > 0) return opcode == "divide" ? at(0) / at(1) : at(0) % at(1);
  if (opcode == "compare") {
    const std::string direction = site.instruction.text("comparison_direction", "");
    if (direction == "EQ") return at(0) == at(1);
    if (direction == "NE") return at(0) != at(1);
    if (direction == "LT") return at(0) < at(1);
    if (direction == "LE") return at(0) <= at(1);
    if (direction == "GT") return at(0) > at(1);
    if (direction == "GE") return at(0) >= at(1);
  }
  return std::nullopt;
}

// Known numbers stay known; all others are computed.
Made known(Lowerer& lower, const Site& site) {
  const std::optional<std::int64_t> value = evaluated(site);
  if (!value) return std::nullopt;
  Term made = lower.scalar(*value, {site.result().element, {}});
  made.type = site.result();
  return Terms{made};
}

Made elementwise(Lowerer& lower, const Site& site) {
  if (losesSize(site)) return std::nullopt;
  if (Made number = known(lower, site)) return number;
  return Terms{lower.wrapped(lower.apply(plain().at(site.instruction.opcode), site.operands, site.result()))};
}

Made logical(Lowerer& lower, const Site& site) {
  if (Made number = known(lower, site)) return number;
  if (site.result().element != "pred") return std::nullopt;  // bit by bit
  static const std::map<std::string, std::string> table{{"and", "And"}, {"or", "Or"}, {"xor", "Xor"}, {"not", "Not"}};
  return Terms{lower.apply(table.at(site.instruction.opcode), site.operands, site.result())};
}

Made compare(Lowerer& lower, const Site& site) {
  if (Made number = known(lower, site)) return number;
  static const std::map<std::string, std::string> table{{"EQ", "Equal"}, {"NE", "Equal"}, {"LT", "Less"}, {"LE", "LessOrEqual"}, {"GT", "Greater"}, {"GE", "GreaterOrEqual"}};
  const std::string direction = site.instruction.text("comparison_direction", "");
  auto found = table.find(direction);
  if (found == table.end() || site.instruction.text("compare_type", "") == "TOTALORDER") return std::nullopt;
  if (found->second != "Equal" && losesSize(site)) return std::nullopt;
  Terms operands = site.operands;
  if (operands.at(0).type.element == "pred" && found->second != "Equal")
    for (Term& operand : operands) operand = lower.cast(operand, {"s32", operand.type.sizes});
  Term made = lower.apply(found->second, operands, site.result());
  if (direction == "NE") made = lower.apply("Not", {made}, site.result());
  return Terms{made};
}

Made select(Lowerer& lower, const Site& site) {
  if (site.operands.at(0).splat) return Terms{site.operands.at(*site.operands[0].splat != 0 ? 1 : 2)};
  return Terms{lower.apply("Where", site.operands, site.result())};
}

Made clamp(Lowerer& lower, const Site& site) {
  if (losesSize(site)) return std::nullopt;
  const Term low = lower.apply("Max", {site.operands.at(0), site.operands.at(1)}, site.result());
  return Terms{lower.apply("Min", {low, site.operands.at(2)}, site.result())};
}

Term value(Lowerer& lower, double number, const Type& type) { return {.type = {type.element, {}}, .value = lower.number(number, lower.kept(type)), .splat = std::nullopt, .parts = nullptr}; }

Made rsqrt(Lowerer& lower, const Site& site) { return Terms{lower.apply("Reciprocal", {lower.apply("Sqrt", site.operands, site.result())}, site.result())}; }

// sign(x) |x|^(1/3)
Made cbrt(Lowerer& lower, const Site& site) {
  const Type& type = site.result();
  const Term size = lower.apply("Pow", {lower.apply("Abs", site.operands, type), value(lower, 1.0 / 3.0, type)}, type);
  return Terms{lower.apply("Mul", {lower.apply("Sign", site.operands, type), size}, type)};
}

Made logPlusOne(Lowerer& lower, const Site& site) { return Terms{lower.apply("Log", {lower.apply("Add", {site.operands.at(0), value(lower, 1, site.result())}, site.result())}, site.result())}; }
Made exponentialMinusOne(Lowerer& lower, const Site& site) { return Terms{lower.apply("Sub", {lower.apply("Exp", site.operands, site.result()), value(lower, 1, site.result())}, site.result())}; }
Made erfc(Lowerer& lower, const Site& site) { return Terms{lower.apply("Sub", {value(lower, 1, site.result()), lower.apply("Erf", site.operands, site.result())}, site.result())}; }
Made square(Lowerer& lower, const Site& site) {
  return Terms{lower.wrapped(lower.apply("Mul", {site.operands.at(0), site.operands[0]}, site.result()))};
}

// Halves away from zero: sign(x) floor(|x| + 1/2)
Made roundAway(Lowerer& lower, const Site& site) {
  const Type& type = site.result();
  const Term size = lower.apply("Floor", {lower.apply("Add", {lower.apply("Abs", site.operands, type), value(lower, 0.5, type)}, type)}, type);
  return Terms{lower.apply("Mul", {lower.apply("Sign", site.operands, type), size}, type)};
}

// x - x is 0 for finite numbers only.
Made isFinite(Lowerer& lower, const Site& site) {
  const Type& type = site.operands.at(0).type;
  return Terms{lower.apply("Equal", {lower.apply("Sub", {site.operands[0], site.operands[0]}, type), value(lower, 0, type)}, site.result())};
}

// The sign is that of the dividend.
Made remainder(Lowerer& lower, const Site& site) {
  if (losesSize(site)) return std::nullopt;
  if (Made number = known(lower, site)) return number;
  return Terms{lower.apply("Mod", site.operands, site.result(), {{"fmod", std::int64_t{1}}})};
}

Made convert(Lowerer& lower, const Site& site) {
  const Term& x = site.operands.at(0);
  const std::string& from = x.type.element;
  const Kept to = *keptAs(site.result().element);
  if (from == site.result().element || from == "pred") return Terms{lower.cast(x, site.result())};
  if (x.splat && *x.splat >= 0 && *x.splat <= 127) return Terms{lower.cast(x, site.result())};
  if (losesSize(site)) return std::nullopt;
  if (to.exact) return Terms{lower.cast(x, site.result())};
  if (isFloating(lower.kept(x.type))) return std::nullopt;  // it may not fit
  return Terms{lower.wrapped(lower.cast(x, site.result()))};
}

// bf16 and f16 have casts that do just this.
Made reducePrecision(Lowerer& lower, const Site& site) {
  const std::int64_t exponent = site.instruction.integer("exponent_bits", 0), mantissa = site.instruction.integer("mantissa_bits", 0);
  if (site.result().element != "f32") return std::nullopt;
  if (exponent == 8 && mantissa == 23) return Terms{site.operands.at(0)};
  const std::string narrow = exponent == 8 && mantissa == 7 ? "bf16" : exponent == 5 && mantissa == 10 ? "f16" : "";
  if (narrow.empty()) return std::nullopt;
  return Terms{lower.cast(lower.cast(site.operands.at(0), {narrow, site.result().sizes}), site.result())};
}

Made constant(Lowerer& lower, const Site& site) {
  const positional::DataPtr& data = site.instruction.literal;
  if (!data) return std::nullopt;
  Term made{.type = site.result(), .value = -1, .splat = std::nullopt, .parts = nullptr};
  const auto same = [&](const auto& list) { return !list.empty() && std::all_of(list.begin(), list.end(), [&](const auto& one) { return one == list.front(); }); };
  if (data->floating() ? same(data->reals) : same(data->integers)) {
    if (!data->floating()) return made = lower.scalar(data->integers[0], {made.type.element, {}}), made.type = site.result(), Terms{made};
    made.value = lower.number(data->reals[0], data->dtype);
  } else {
    made.value = lower.constant(*data);
  }
  return Terms{made};
}

Made same(Lowerer&, const Site& site) { return Terms{site.operands.at(0)}; }

}  // namespace

const std::map<std::string, LowerRule>& lowerElements() {
  static const std::map<std::string, LowerRule> table = [] {
    std::map<std::string, LowerRule> rules{
        {"and", logical}, {"or", logical}, {"xor", logical}, {"not", logical}, {"compare", compare}, {"select", select}, {"clamp", clamp}, {"rsqrt", rsqrt}, {"cbrt", cbrt}, {"log_plus_one", logPlusOne},
        {"exponential_minus_one", exponentialMinusOne}, {"erfc", erfc}, {"square", square}, {"round_nearest_afz", roundAway}, {"is_finite", isFinite}, {"remainder", remainder}, {"convert", convert},
        {"reduce_precision", reducePrecision}, {"constant", constant}, {"copy", same}, {"optimization_barrier", [](Lowerer&, const Site& site) { return Made(site.operands); }}, {"sharding_constraint", same}};
    for (const auto& [opcode, type] : plain()) rules.emplace(opcode, elementwise);
    return rules;
  }();
  return table;
}

}  // namespace core::xla
