#pragma once

#include <string>
#include <string_view>

#include "core/plan/plan.h"

// *.plan.json: all that is saved of a plan. Weights stay in their own files; paths stand relative to the plan's folder.

namespace core {

Plan readPlan(const std::string& path);                    // paths in the plan become absolute
void writePlan(const Plan& plan, const std::string& path); // atomically

Plan parsePlan(std::string_view text, const std::string& where);  // paths as they stand
std::string printPlan(const Plan& plan);

}  // namespace core
