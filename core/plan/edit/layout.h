#pragma once

#include <string>
#include <vector>

#include "core/plan/plan.h"

// Edits of the current variant's layout. Each takes a plan and returns the changed one; none of them judges
// whether the layout is legal (core/plan/analyze.h does). An edit that changes nothing returns an equal plan.
//
//   addRule(plan, "batch", "data")      batch:            ->  batch:data
//   addRule(plan, "batch", "model")     batch:data        ->  batch:data model   (innermost last)

namespace core {

Plan addRule(Plan plan, const std::string& dimension, const std::string& axis);
Plan removeRule(Plan plan, const std::string& dimension, const std::string& axis);
Plan removeRules(Plan plan, const std::string& dimension);                                    // of all axes
Plan setRule(Plan plan, const std::string& dimension, const std::vector<std::string>& axes);  // no axes: the rule goes
Plan moveRule(Plan plan, const std::string& from, const std::string& to, const std::string& axis);
Plan setLayout(Plan plan, Layout layout);

// What the rules say of a dimension; empty for none.
std::vector<std::string> ruleAxes(const Layout& layout, const std::string& dimension);

// The pin of exactly this name or glob is replaced, or made.
Plan setPin(Plan plan, Pin pin);
Plan removePin(Plan plan, const std::string& tensor);
const Pin* findPin(const Layout& layout, const std::string& tensor);  // of exactly this name or glob

// One axis more (or less) on a dimension of one tensor's pin; `before` is what the tensor had when it was not pinned.
Plan addPinAxis(Plan plan, const Pin& before, const std::string& dimension, const std::string& axis);
Plan removePinAxis(Plan plan, const Pin& before, const std::string& dimension, const std::string& axis);

}  // namespace core
