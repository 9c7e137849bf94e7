#pragma once

#include <QByteArray>
#include <optional>
#include <vector>

#include "ui/graph_layout/level.h"

namespace ui {

// DOT of one level as `meshwright-layout` reads it. Back edges and edges that span many rows are left out: they make
// dot slow.
QByteArray dotText(const LevelGraph& graph);

// One line of JSON a level, {"nodes":[{"name":"n0","x":..,"y":..},...]}: centres in points, y downward. Nothing where
// the reply is cut or has other boxes.
std::optional<std::vector<LevelPlacement>> readReply(const QByteArray& reply, const std::vector<LevelGraph>& levels);

}  // namespace ui
