#pragma once

#include <QString>

#include "core/plan/analyze.h"
#include "ui/session/run_watch.h"
#include "ui/widgets/curve.h"
#include "ui/widgets/rank_grid.h"

// A run in the words and pictures of the panels.

namespace ui {

QString runStateLine(const RunWatch& run);   // "Running · 4 ranks on data:2,model:2 · step 17 of 50 · loss 3.21 · 21 ms a step"
CurveData lossCurve(const RunWatch& run);
RankGridData rankGrid(const RunWatch& run);
QString outcomeText(const RunWatch& run, const core::Analysis& analysis);  // a table: predicted, measured

}  // namespace ui
