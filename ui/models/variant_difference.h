#pragma once

#include <QString>
#include <functional>
#include <vector>

#include "core/plan/plan.h"

namespace ui {

// One thing that two variants choose differently, and the edit that makes the current variant as the other one is.
struct VariantDifference {
  QString text;  // "heads: model → whole"
  std::function<core::Plan(core::Plan)> takeOver;
};

std::vector<VariantDifference> differences(const core::Variant& other, const core::Variant& current);

}  // namespace ui
