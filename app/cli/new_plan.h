#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/io/import.h"
#include "core/plan/plan.h"

namespace app {

// "bert" of "models/bert.plan.json": the plan's name.
std::string planName(const std::string& path);

// A plan with one variant, A, on one device.
core::Plan planOf(core::Graph graph, const std::string& name);
// The same with what the import found as its notes.
core::Plan planOf(const core::Import& found, const std::string& name);

// {"batch=8"} of `--dim`: each name once, sizes of 1 or more.
std::map<std::string, std::int64_t> dimSizes(const std::vector<std::string>& dims);

}  // namespace app
