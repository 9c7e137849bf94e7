#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <optional>

#include "ui/canvas/arranger.h"
#include "ui/canvas/canvas.h"
#include "ui/canvas/look.h"

namespace ui {

// What a Canvas knows. The files canvas*.cpp share it: view and folding, mouse, keys, drops, accessibility.
struct Canvas::State {
  explicit State(Canvas& owner);

  Canvas& canvas;
  std::shared_ptr<const Scene> scene;    // that is drawn
  std::shared_ptr<const Scene> pending;  // that is being laid out: the one before stays until it is
  int pendingRoot = 0;
  std::shared_ptr<const Picture> picture;
  Arranger arranger;
  Expansion expansion;
  int root = 0;

  View view;
  Detail detail = Detail::standard;
  Overlay overlay = Overlay::none;
  std::vector<SceneRef> selection, marks;
  SceneRef hover;
  DimensionAt chosen;
  bool stale = false, plainWheelZooms = false, reducedMotion = false;
  bool viewChosen = false;  // by a person: a new picture does not fit itself
  std::optional<SceneRef> toReveal;

  struct Anchor {
    QString path;
    QPointF screen;
  };
  std::optional<Anchor> anchor;  // that stays under the pointer
  QTimer movement;
  QElapsedTimer since;
  std::vector<QRectF> before;
  double progress = 1;

  enum class Gesture { none, click, pan, band };
  Gesture gesture = Gesture::none;
  QPointF pressed, last;
  Qt::KeyboardModifiers modifiers;
  QRectF band;
  bool space = false;

  DropCheck check;
  DimensionAt target;
  QString refusal, dragged;
  bool dropping = false;
  struct PillPlaces {
    std::shared_ptr<const Scene> scene;
    std::shared_ptr<const Picture> picture;
    View view;
    Detail detail = Detail::standard;
    QSize widget;
    QFont font;
    bool operator==(const PillPlaces&) const = default;
  };
  mutable PillPlaces placedFor;
  mutable std::vector<PlacedPill> placed;

  std::vector<quint32> accessible;  // ids of the interfaces of selected nodes and their neighbours

  // --- canvas_view.cpp
  bool ready() const { return scene && picture; }
  void arrange(std::optional<Anchor> keep = {});
  void take(std::shared_ptr<const Picture> arranged);
  void setView(const View& next);
  void fit(const QRectF& sceneRect);
  std::optional<Anchor> anchorAt(int sceneNode) const;
  Look look() const;
  const std::vector<PlacedPill>& placedPills() const;
  int drawn(int sceneNode) const;  // picture node of what stands for it; -1
  std::optional<int> nodeAt(const SceneRef& ref) const;
  QRectF screenRect(const SceneRef& ref) const;
  void setOpen(int sceneNode, bool open);
  void showInstance(int stackNode, int instance);
  static std::vector<int> openable(const Scene& scene);
  void adopt();  // the pending scene becomes the scene

  // --- canvas_hit.cpp
  struct Hit {
    SceneRef ref;
    DimensionAt dimension;
    int node = -1;  // picture node
    enum class Part { body, header, chevron, previous, next } part = Part::body;
  };
  Hit hit(QPointF at) const;
  std::vector<SceneRef> within(const QRectF& screen) const;
  bool near(const PictureEdge& edge, QPointF scenePoint, double distance) const;

  // --- canvas_select.cpp
  void select(std::vector<SceneRef> next);
  void choose(DimensionAt next);
  bool isSelected(const SceneRef& ref) const;
  void clicked(const Hit& hit, Qt::KeyboardModifiers modifiers);
  void finishBand();
  void walk(int key);  // arrows
  void cycleTensor();
  void selectStream(bool up);
  std::vector<int> neighbours(int pictureNode, bool above) const;
  std::optional<int> selectedDrawn() const;

  // --- canvas_accessible.cpp
  void installAccessible();
  void announceSelection();
  void dropAccessible();
};

}  // namespace ui
