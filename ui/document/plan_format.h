#pragma once

#include <functional>
#include <string>

#include "core/plan/plan.h"

// How a plan becomes a file and comes back; the document takes it as a value so that tests can break it.

namespace ui {

struct PlanFormat {
  std::function<core::Plan(const std::string& path)> read;  // Error when it is not a plan; paths in it become absolute
  std::function<void(const core::Plan& plan, const std::string& path)> write;  // atomically
  std::function<std::string(const core::Plan&)> print;  // as it stands in memory, for the recovery journal
  std::function<core::Plan(const std::string& text, const std::string& where)> parse;
};

PlanFormat planJson();  // *.plan.json

}  // namespace ui
