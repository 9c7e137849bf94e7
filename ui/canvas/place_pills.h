#pragma once

#include <QRectF>
#include <QString>
#include <vector>

namespace ui {

struct Look;

// Where a collective's pill stands on screen, and what it says there.
struct PlacedPill {
  QRectF rect;   // empty: there is no room for it, or it is far outside the window
  QString text;  // empty: a dot
};

// In the order of Picture::pills. A pill keeps its size while nodes shrink with the zoom, so its place is found anew
// for each view: on its edge or beside its row, else shifted along it, else saying less. It never covers a node, the
// header of an unfolded one, or another pill.
std::vector<PlacedPill> placePills(const Look& look);

}  // namespace ui
