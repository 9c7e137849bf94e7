#pragma once

#include <string>

#include "core/plan/analyze.h"

namespace core {

struct DotOptions {
  bool clusters = true;  // scopes as boxes
  bool curves = true;    // edges as curves; else straight
};

// The model as Graphviz reads it: operators with the parameters that they read, values as edges with dimensions and sizes
// and, where the analysis has them, the axes that split them: "batch:8/data seq:64".
std::string printDot(const Analysis& analysis, const DotOptions& options = {});

}  // namespace core
