#pragma once

#include <QString>
#include <optional>

#include "core/plan/plan.h"

class QWidget;

namespace ui {

// Imports a model off the UI thread and shows what was found: format, operators, parameters, dimensions, blocks, what
// the catalogue lacks. None when the person thinks otherwise; core::Error when it cannot be read.
std::optional<core::Plan> importWithSheet(const QString& path, QWidget* window);

}  // namespace ui
