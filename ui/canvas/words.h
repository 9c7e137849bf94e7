#pragma once

#include <QString>

#include "ui/canvas/scene.h"

namespace ui {

QString collectiveLetters(core::CollectiveKind kind);               // "AR"
QString axisNames(const Scene& scene, const core::AxisList& axes);  // "data,model"
QString tensorText(const Scene& scene, int tensor);                 // "x (batch 8 [data], d 64)"

}  // namespace ui
