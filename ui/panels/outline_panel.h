#pragma once

#include <QWidget>

class QLineEdit;
class QTreeView;
class QSortFilterProxyModel;

namespace ui {

class OutlineModel;
class Session;

// The graph as a tree: groups, stacks of equal blocks, operators and their tensors, with memory a device and what
// splits them. Says in words what the canvas shows in pictures.
class OutlinePanel : public QWidget {
  Q_OBJECT

 public:
  explicit OutlinePanel(Session& session);

 private:
  void showScene();
  void showSelection();
  void takeSelection();

  Session& session_;
  OutlineModel* model_;
  QSortFilterProxyModel* filtered_;
  QLineEdit* filter_;
  QTreeView* tree_;
  bool ours_ = false;  // a selection that this panel made
};

}  // namespace ui
