#include "ui/document/plan_format.h"

#include "core/io/plan_file.h"

namespace ui {

PlanFormat planJson() {
  return {.read = core::readPlan,
          .write = core::writePlan,
          .print = core::printPlan,
          .parse = [](const std::string& text, const std::string& where) { return core::parsePlan(text, where); }};
}

}  // namespace ui
