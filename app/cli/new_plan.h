#pragma once

#include <string>

#include "core/plan/plan.h"

namespace app {

// "bert" of "models/bert.plan.json": the plan's name.
std::string planName(const std::string& path);

// A plan with one variant, A, on one device.
core::Plan planOf(core::Graph graph, const std::string& name);

}  // namespace app
