#include <fmt/format.h>

#include <set>

#include "core/io/xla/lowerer.h"

// Calls, loops and branches.

namespace core::xla {
namespace {

using Site = Lowerer::Site;
using Made = std::optional<Terms>;

Made call(Lowerer& lower, const Site& site) {
  if (site.instruction.computations.size() != 1) return std::nullopt;
  return lower.inlined(site.instruction.computations[0], site.operands);
}

// Step by step, as long as the condition is known; a loop whose end the data decide stays one operator.
Made loop(Lowerer& lower, const Site& site) {
  const int condition = site.instruction.computations.at(0), body = site.instruction.computations.at(1);
  const std::string scope = lower.scope().empty() ? "loop" : lower.scope();
  Terms values = site.operands;
  const std::size_t carried = site.instruction.results.size();
  for (std::int64_t step = 0;; ++step) {
    const Lowerer::Within within(lower, fmt::format("{}.{}", scope, step));
    const Terms goesOn = lower.inlined(condition, values);
    if (!goesOn.at(0).splat) return std::nullopt;
    if (*goesOn[0].splat == 0) break;
    Terms next = lower.inlined(body, values);
    std::move(next.begin(), next.end(), values.begin());
  }
  values.resize(carried);
  return values;
}

// Both sides are computed, as nothing here has effects.
Made branch(Lowerer& lower, const Site& site) {
  const auto& computations = site.instruction.computations;
  const Term& chooser = site.operands.at(0);
  const Terms captured(site.operands.begin() + 1, site.operands.end());
  const bool two = site.instruction.opcode == "if";
  const auto last = static_cast<std::int64_t>(computations.size()) - 1;
  if (chooser.splat) {
    const std::int64_t index = two ? 1 - *chooser.splat : *chooser.splat < 0 || *chooser.splat > last ? last : *chooser.splat;
    return lower.inlined(computations.at(static_cast<std::size_t>(index)), captured);
  }
  Terms made = lower.inlined(computations.at(static_cast<std::size_t>(last)), captured);
  for (std::int64_t i = last; i-- > 0;) {
    const Terms other = lower.inlined(computations[static_cast<std::size_t>(i)], captured);
    const Term chosen = two ? chooser : lower.apply("Equal", {chooser, lower.scalar(i, {chooser.type.element, {}})}, {"pred", {}});
    for (std::size_t k = 0; k < made.size(); ++k) made[k] = lower.apply("Where", {chosen, other.at(k), made[k]}, made[k].type);
  }
  return made;
}

// Those that only say where a value lies; their shardings are those of their results.
Made customCall(Lowerer&, const Site& site) {
  static const std::set<std::string> says{"Sharding", "xla.sdy.FuncResultSharding", "SPMDFullToShardShape", "SPMDShardToFullShape", "annotate_device_placement", "LayoutConstraint"};
  if (says.count(site.instruction.text("call_target_name", "")) == 0 || site.operands.size() != 1 || site.operands[0].type != site.result()) return std::nullopt;
  return Terms{site.operands[0]};
}

}  // namespace

const std::map<std::string, LowerRule>& lowerControl() {
  static const std::map<std::string, LowerRule> table{{"call", call}, {"composite", call}, {"while", loop}, {"if", branch}, {"case", branch}, {"custom_call", customCall}};
  return table;
}

}  // namespace core::xla
