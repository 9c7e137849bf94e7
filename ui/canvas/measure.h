#pragma once

#include <QFont>
#include <QFontMetricsF>
#include <QHash>
#include <QSizeF>
#include <vector>

#include "ui/canvas/scene.h"

// Sizes of things on the canvas at zoom 1, in device-independent pixels.

namespace ui {

inline constexpr double headerHeight = 24;  // of an operator
inline constexpr double rowHeight = 21;     // of a tensor in it
inline constexpr double nodePadding = 5;
inline constexpr double nominalHeight = 44;  // the node height by which the level of detail is chosen
inline constexpr double groupHeader = 30;    // of an unfolded group
inline constexpr double groupPadding = 18;
inline constexpr double cardHeight = 58;  // of a folded group or stack

// A node that is not unfolded. Does not depend on shardings, so that a drop moves nothing: chips keep room for a tag.
class NodeSizes {
 public:
  explicit NodeSizes(const QFont& font = QFont());
  QSizeF of(const Scene& scene, int node) const;
  double headerWidth(const Scene& scene, int node) const;  // that an unfolded node needs

 private:
  QSizeF leaf(const Scene& scene, const SceneNode& node) const;
  QSizeF card(const SceneNode& node) const;
  double width(const QFontMetricsF& metrics, QHash<QString, double>& known, const QString& text) const;
  QFontMetricsF title_, bold_, text_;
  mutable QHash<QString, double> textWidths_;  // the same few dimensions stand in thousands of tensors
};

inline constexpr double chipGap = 4, chipPadding = 6, chipTag = 15;

}  // namespace ui
