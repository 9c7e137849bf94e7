#pragma once

#include <QString>

#include "core/io/import.h"

// The report of an import as the sheet shows it.

namespace ui {

QString importSummary(const core::ImportReport& report);  // format, operators, parameters, blocks
QString importWarnings(
    const core::ImportReport& report);  // unknown operators, missing weights, lost dimensions, notes; empty = none

}  // namespace ui
