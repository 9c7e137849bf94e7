#pragma once

#include <QPointF>
#include <QRectF>
#include <algorithm>

#include "ui/canvas/measure.h"

namespace ui {

// Pan and zoom: the scene point at the widget's top left, and pixels a scene unit.
struct View {
  QPointF origin;
  double zoom = 1;

  static constexpr double least = 0.004, most = 4;
  QPointF toScreen(QPointF p) const { return (p - origin) * zoom; }
  QPointF toScene(QPointF p) const { return p / zoom + origin; }
  QRectF toScreen(const QRectF& r) const { return {toScreen(r.topLeft()), r.size() * zoom}; }
  QRectF toScene(const QRectF& r) const { return {toScene(r.topLeft()), r.size() / zoom}; }

  // Closer by `factor`; what lies at a point of the screen stays there.
  View zoomed(double factor, QPointF at) const {
    View v = *this;
    v.zoom = std::clamp(zoom * factor, least, most);
    v.origin = toScene(at) - at / v.zoom;
    return v;
  }
  View panned(QPointF pixels) const { return {origin - pixels / zoom, zoom}; }
  // All of a rectangle in the middle of a widget, never larger than `closest`.
  static View fitting(const QRectF& scene, QSizeF widget, double closest = 1.25) {
    double room = std::min({(widget.width() - 48) / std::max(1.0, scene.width()),
                            (widget.height() - 48) / std::max(1.0, scene.height()), closest});
    View v;
    v.zoom = std::clamp(room, least, most);
    v.origin = scene.center() - QPointF(widget.width(), widget.height()) / (2 * v.zoom);
    return v;
  }
  bool operator==(const View&) const = default;
};

// How much of a node is drawn.
enum class Detail { overview, map, standard, full };

// By the height of a node on screen: under 6, 18, 56 pixels; a border is crossed 7.5 % late each way, so that nothing
// flickers at it.
inline Detail detailOf(double zoom, Detail before) {
  constexpr double borders[] = {6, 18, 56};
  int level = 0;
  for (int i = 0; i < 3; ++i) {
    double border = borders[i] * (static_cast<int>(before) > i ? 0.925 : 1.075);
    if (nominalHeight * zoom >= border) level = i + 1;
  }
  return static_cast<Detail>(level);
}

}  // namespace ui
