#pragma once

#include <QWidget>
#include <vector>

#include "ui/canvas/canvas.h"
#include "ui/session/selection.h"

class QComboBox;
class QLabel;
class QLineEdit;

namespace ui {

class Actions;
class Session;

// The canvas in the middle of the window, bound to the session: it shows the scene, selection and staleness, and turns
// what a person does there into edits. Above it stand where one is, the overlay and, when asked for, the search.
class CanvasView : public QWidget {
  Q_OBJECT

 public:
  CanvasView(Session& session, Actions& actions, QWidget* parent = nullptr);

  Canvas& canvas() { return *canvas_; }
  void openSearch();
  void stepSearch(int direction);
  void goBack() { travel(-1); }
  void goForward() { travel(1); }
  void deleteSelected();
  void setOverlay(Overlay overlay);

 private:
  QWidget* makeHeader();
  QWidget* makeSearch();
  void bindActions(Actions& actions);
  void bindCanvas();
  void bindDrops();
  void showScene();
  void showSelection();
  void takeSelection(const std::vector<SceneRef>& refs);
  void showPlace();
  void search(const QString& text);
  void travel(int direction);
  void remember();
  void chooseAxis(const QString& tensor, const QString& dimension);
  void openMenu(const SceneRef& ref, const QPoint& at);
  QString tensorName(core::TensorId tensor) const;

  Session& session_;
  Canvas* canvas_;
  QLabel* place_;
  QComboBox* overlay_;
  QWidget* searchBar_;
  QLineEdit* searchText_;
  QLabel* searchCount_;
  std::vector<SceneRef> found_;
  int foundAt_ = -1;
  std::vector<Selection> places_;
  int placeAt_ = -1;
  bool traveling_ = false;
  bool ours_ = false;
};

}  // namespace ui
