#pragma once

#include <QWidget>
#include <functional>
#include <memory>
#include <vector>

#include "ui/canvas/scene.h"

class QMimeData;

namespace ui {

enum class Overlay { none, memory, compute, communication, layoutSource };
QString overlayName(Overlay overlay);

// Draws a Scene: folded groups and stacks, operators with their tensors as rows of dimension chips, edges with
// collectives. One widget that paints from flat arrays. Emits what a person asks for and changes no document.
//
// Pan: scroll, middle drag, Space+drag. Zoom: Ctrl+wheel, pinch, Ctrl+plus, Ctrl+minus, Ctrl+0. F fits the selection or
// all, Shift+F all. Rubber band: left drag on empty; Shift adds, Ctrl toggles. Double-click a header, Ctrl+Left,
// Ctrl+Right: fold, unfold. Alt+Down enters a group, Alt+Up leaves. Arrows walk along edges; Left and Right within a
// tensor choose its dimension. L, Shift+L: selects upstream, downstream. Esc clears.
class Canvas : public QWidget {
  Q_OBJECT

 public:
  explicit Canvas(QWidget* parent = nullptr);
  ~Canvas() override;

  // Keeps expansion, position and zoom where the structure is the same.
  void setScene(std::shared_ptr<const Scene> scene);
  std::shared_ptr<const Scene> scene() const;

  // --- what is shown
  void setOverlay(Overlay overlay);
  Overlay overlay() const;
  void setSearchMarks(std::vector<SceneRef> marks);
  void setSelection(std::vector<SceneRef> selection);  // emits nothing
  const std::vector<SceneRef>& selection() const;
  void setDimension(core::TensorId tensor, int dimension);  // the chosen dimension of the selected tensor; -1 = none
  void setStale(bool stale);                                // figures are being renewed: dimmed
  void setPlainWheelZooms(bool zooms);                      // else it scrolls
  void setReducedMotion(bool reduced);

  // --- folding
  bool isExpanded(const SceneRef& ref) const;
  void setExpanded(const SceneRef& ref, bool expanded);
  void toggle(const SceneRef& ref);
  void expandAll();
  void collapseAll();
  void showInstance(core::StackId stack, int instance);
  int instance(core::StackId stack) const;
  void enter(core::GroupId group);  // shows it alone; root = the whole graph
  void leave();
  core::GroupId entered() const;

  // --- view
  void fitAll();
  void fitSelection();         // all, when nothing is selected
  void zoomBy(double factor);  // about the middle
  void resetZoom();
  double zoom() const;
  void reveal(const SceneRef& ref);          // unfolds what hides it and brings it into view
  QRectF contentRect() const;                // of everything, in scene units
  QRectF rectOf(const SceneRef& ref) const;  // on screen; empty where it is not drawn
  bool isDrawnClosed(const SceneRef& ref) const;  // a node of its own, not unfolded
  int pillCount() const;                          // of what is drawn, whether there is room for them or not
  QRectF dimensionRect(core::TensorId tensor, int dimension) const;
  SceneRef at(QPointF position) const;  // what a click there would select
  void panBy(QPointF pixels);

  // --- layout
  void setLayoutProgram(const QString& path);  // see LayoutService; empty = our own layering at once
  bool layingOut() const;                        // or still moving there
  bool usedFallback() const;  // the picture that is shown has a level laid out by ourselves

  // Why an axis may not go on this dimension of this tensor; empty = legal. Without one every drop is legal.
  using DropCheck = std::function<QString(core::TensorId tensor, const QString& dimension, const QString& axis)>;
  void setDropCheck(DropCheck check);

  // What is drawn, and at which level of detail: for tests and the report beside a picture.
  QString dump() const;

  QSize sizeHint() const override { return {900, 640}; }

 signals:
  void selectionChanged(const std::vector<ui::SceneRef>& selection);
  void dimensionChosen(core::TensorId tensor, int dimension);
  void hovered(const ui::SceneRef& ref, const QPoint& globalPosition);  // none when it leaves
  void activated(const ui::SceneRef& ref);                              // double-click or Enter on what does not unfold
  void menuRequested(const ui::SceneRef& ref, const QPoint& globalPosition);
  void expansionChanged();
  void enteredChanged(core::GroupId group);
  void zoomChanged(double zoom);
  void layoutFinished();                                                // everything stands where it belongs
  // An axis over a dimension of a tensor: the window shows the effect; then the drop itself. `onlyHere`: Alt was held.
  void dropPreviewed(core::TensorId tensor, const QString& dimension, const QString& axis,
                     const QPoint& globalPosition);
  void previewEnded();
  void dropRequested(core::TensorId tensor, const QString& dimension, const QString& axis, bool onlyHere);
  void axesRequested(core::TensorId tensor, const QString& dimension);   // Enter on a chosen dimension
  void unpinRequested(core::TensorId tensor, const QString& dimension);  // Del on it
  void pinRequested(core::TensorId tensor, const QString& dimension);    // P on it

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void keyReleaseEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragMoveEvent(QDragMoveEvent* event) override;
  void dragLeaveEvent(QDragLeaveEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct State;
  std::unique_ptr<State> state_;
  friend struct State;
};

}  // namespace ui
