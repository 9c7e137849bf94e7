#pragma once

#include <QToolBar>

class QComboBox;
class QToolButton;

namespace ui {

class Actions;
class Session;

// Files and undo, the variant, its mesh, step and machine at a glance, going anywhere, running.
class ToolBar : public QToolBar {
  Q_OBJECT

 public:
  ToolBar(Session& session, const Actions& actions, QWidget* parent);

 signals:
  void meshRequested();

 private:
  QToolButton* chip(const QString& objectName, const QString& name);
  void refresh();
  void openStep();

  Session& session_;
  QComboBox* variant_;
  QToolButton* mesh_;
  QToolButton* step_;
};

}  // namespace ui
