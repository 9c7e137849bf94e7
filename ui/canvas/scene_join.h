#pragma once

#include "ui/canvas/scene.h"

namespace ui {

// Shardings of tensors, figures of operators and the program's collectives, joined to the scene by name.
void joinAnalysis(Scene& scene, const core::Graph& graph, const core::Analysis& analysis);

// Figures of leaves from their tensors, and of groups and stacks from what they hold.
void sumFigures(Scene& scene);

}  // namespace ui
