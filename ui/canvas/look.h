#pragma once

#include <QFont>
#include <QSet>
#include <span>
#include <vector>

#include "ui/canvas/canvas.h"
#include "ui/canvas/picture.h"
#include "ui/canvas/place_pills.h"
#include "ui/canvas/view.h"

class QPainter;

namespace ui {

struct Theme;

// A dimension of a tensor that an axis hovers over, or that the keyboard has chosen.
struct DimensionAt {
  int tensor = -1;
  int dim = -1;
  bool valid() const { return tensor >= 0 && dim >= 0; }
  bool operator==(const DimensionAt&) const = default;
};

// All that a frame is painted from.
struct Look {
  const Scene& scene;
  const Picture& picture;
  View view;
  Detail detail = Detail::standard;
  Overlay overlay = Overlay::none;
  double overlayMost = 0;  // of what is drawn
  QSizeF widget;
  QFont font;
  bool focused = false;
  bool stale = false;
  bool dropping = false;  // an axis is in the air: dimensions are targets

  std::vector<char> selectedNodes;    // per scene node
  std::vector<char> selectedTensors;  // per tensor
  std::vector<char> markedNodes;      // found by a search
  int selectedPill = -1;
  SceneRef hover;
  DimensionAt chosen;  // by the keyboard
  DimensionAt target;  // of a drop
  QString refusal;     // why not there
  const Expansion* expansion = nullptr;
  std::span<const PlacedPill> pills;  // by Picture::pills

  double progress = 1;                          // of a movement to this picture
  const std::vector<QRectF>* before = nullptr;  // where the nodes were, in scene units

  QRectF rect(int pictureNode) const;  // on screen, in movement
};

// A dimension of a tensor as it is drawn in a row of an operator.
struct ChipBox {
  QRectF rect;  // on screen
  int tensor = -1;
  int dim = -1;
};

inline constexpr double chipZoom = 0.9;  // from which dimensions are drawn with their names

// The rows of a leaf on screen, and the chips in them; empty where they are too small to read.
QRectF rowRect(const QRectF& node, std::size_t row, double zoom);
std::vector<ChipBox> chipBoxes(const Scene& scene, const SceneNode& node, const QRectF& rect, double zoom,
                               const QFont& font);

// Parts of an unfolded header, and of a folded card, that a click means something else on.
struct HeaderParts {
  QRectF header, chevron, previous, next, label;  // previous, next: of a stack, the instance shown
};
HeaderParts headerParts(const SceneNode& node, const QRectF& rect, double zoom);
QRectF cardChevron(const QRectF& rect, double zoom);
QString pillText(const Scene& scene, const ScenePill& pill, Detail detail);

double overlayValue(const SceneNode& node, Overlay overlay);  // negative = not known

void paintCanvas(QPainter& painter, const Look& look);
void paintOpen(QPainter& painter, const Look& look, int pictureNode);
void paintHeader(QPainter& painter, const Look& look, int pictureNode);
void paintLeaf(QPainter& painter, const Look& look, int pictureNode);
void paintCard(QPainter& painter, const Look& look, int pictureNode);
void paintEdges(QPainter& painter, const Look& look);
void paintPills(QPainter& painter, const Look& look);
void paintProblem(QPainter& painter, const SceneNode& node, const QRectF& rect);
void paintLegend(QPainter& painter, const Look& look);
void paintRow(QPainter& painter, const Look& look, const SceneNode& node, std::size_t row, const QRectF& nodeRect);

QColor nodeFill(const Look& look, const SceneNode& node);
QString overlayText(const SceneNode& node, Overlay overlay);  // the figure beside a name
void writeWhole(QPainter& painter, const QRectF& rect, const QString& text, const QColor& colour,
                int flags = Qt::AlignLeft | Qt::AlignVCenter);  // nothing where it does not fit: half a number is none
void writeText(QPainter& painter, const QRectF& rect, const QString& text, const QColor& colour,
               int flags = Qt::AlignLeft | Qt::AlignVCenter);

}  // namespace ui
