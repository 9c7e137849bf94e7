#pragma once

#include <QStringList>
#include <vector>

#include "core/mesh/mesh.h"
#include "ui/widgets/chip.h"

// A mesh in the words of the chips.

namespace ui {

QStringList axisNames(const core::Mesh& mesh);
AxisTag axisTag(const core::Mesh& mesh, core::AxisId axis);
std::vector<AxisTag> axisTags(const core::Mesh& mesh,
                              const std::vector<std::string>& names);  // unknown ones are left out
std::vector<AxisTag> axisTags(const core::Mesh& mesh, const core::AxisList& axes);
qint64 paddingOf(qint64 size, const std::vector<AxisTag>& axes);       // allocated beyond size, all devices together
QString meshText(const core::Mesh& mesh);                              // "data 2 × model 2 = 4 devices"
QString axesText(const core::Mesh& mesh, const core::AxisList& axes);  // "data, model"

}  // namespace ui
