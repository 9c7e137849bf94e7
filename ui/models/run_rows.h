#pragma once

#include <QString>

#include "ui/session/run_watch.h"
#include "ui/widgets/curve.h"
#include "ui/widgets/rank_grid.h"

// A run in the words and pictures of the panels.

namespace ui {

QString runStateLine(
    const RunWatch& run);  // "Running · 4 ranks on data:2,model:2 · step 17 of 50 · loss 3.21 · 21 ms a step"
CurveData lossCurve(const RunWatch& run);
RankGridData rankGrid(const RunWatch& run);
QString outcomeText(const RunWatch& run);  // predicted beside counted and measured, when the run is over

// Instruction, rank, predicted, measured, exact: by seconds, the slowest first.
std::vector<QStringList> measuredRows(const RunComparison& found, std::size_t most);

}  // namespace ui
