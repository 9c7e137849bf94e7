#include "core/plan/edit/layout.h"

#include <algorithm>

namespace core {
namespace {

Layout& layoutOf(Plan& plan) {
  return plan.variants[plan.current].layout;
}

auto findRule(std::vector<Rule>& rules, const std::string& dimension) {
  return std::find_if(rules.begin(), rules.end(), [&](const Rule& rule) { return rule.dimension == dimension; });
}

bool holds(const std::vector<std::string>& axes, const std::string& axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

void addTo(std::vector<Rule>& rules, const std::string& dimension, const std::string& axis) {
  auto found = findRule(rules, dimension);
  if (found == rules.end())
    rules.push_back({dimension, {axis}});
  else if (!holds(found->axes, axis))
    found->axes.push_back(axis);
}

void removeFrom(std::vector<Rule>& rules, const std::string& dimension, const std::string& axis) {
  for (Rule& rule : rules)
    if (rule.dimension == dimension) std::erase(rule.axes, axis);
  std::erase_if(rules, [](const Rule& rule) { return rule.axes.empty(); });
}

}  // namespace

Plan addRule(Plan plan, const std::string& dimension, const std::string& axis) {
  addTo(layoutOf(plan).rules, dimension, axis);
  return plan;
}

Plan removeRule(Plan plan, const std::string& dimension, const std::string& axis) {
  removeFrom(layoutOf(plan).rules, dimension, axis);
  return plan;
}

Plan removeRules(Plan plan, const std::string& dimension) {
  return setRule(std::move(plan), dimension, {});
}

Plan setRule(Plan plan, const std::string& dimension, const std::vector<std::string>& axes) {
  std::vector<Rule>& rules = layoutOf(plan).rules;
  auto found = findRule(rules, dimension);
  if (axes.empty())
    std::erase_if(rules, [&](const Rule& rule) { return rule.dimension == dimension; });
  else if (found == rules.end())
    rules.push_back({dimension, axes});
  else
    found->axes = axes;
  return plan;
}

Plan moveRule(Plan plan, const std::string& from, const std::string& to, const std::string& axis) {
  return addRule(removeRule(std::move(plan), from, axis), to, axis);
}

Plan setLayout(Plan plan, Layout layout) {
  layoutOf(plan) = std::move(layout);
  return plan;
}

std::vector<std::string> ruleAxes(const Layout& layout, const std::string& dimension) {
  std::vector<std::string> axes;
  for (const Rule& rule : layout.rules)
    if (rule.dimension == dimension) axes.insert(axes.end(), rule.axes.begin(), rule.axes.end());
  return axes;
}

Plan setPin(Plan plan, Pin pin) {
  for (Pin& old : layoutOf(plan).pins)
    if (old.tensor == pin.tensor) {
      old = std::move(pin);
      return plan;
    }
  layoutOf(plan).pins.push_back(std::move(pin));
  return plan;
}

Plan removePin(Plan plan, const std::string& tensor) {
  std::erase_if(layoutOf(plan).pins, [&](const Pin& pin) { return pin.tensor == tensor; });
  return plan;
}

const Pin* findPin(const Layout& layout, const std::string& tensor) {
  for (const Pin& pin : layout.pins)
    if (pin.tensor == tensor) return &pin;
  return nullptr;
}

Plan addPinAxis(Plan plan, const Pin& before, const std::string& dimension, const std::string& axis) {
  const Pin* pinned = findPin(layoutOf(plan), before.tensor);
  Pin pin = pinned ? *pinned : before;
  addTo(pin.dims, dimension, axis);
  return setPin(std::move(plan), std::move(pin));
}

Plan removePinAxis(Plan plan, const Pin& before, const std::string& dimension, const std::string& axis) {
  const Pin* pinned = findPin(layoutOf(plan), before.tensor);
  Pin pin = pinned ? *pinned : before;
  removeFrom(pin.dims, dimension, axis);
  return setPin(std::move(plan), std::move(pin));
}

}  // namespace core
