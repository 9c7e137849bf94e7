#pragma once

#include <QWidget>

#include "ui/session/session.h"

class QComboBox;
class QLabel;
class QListWidget;
class QPushButton;
class QTreeWidget;

namespace ui {

class MemoryBar;

// The current variant beside another one: figures with signed deltas and the words better and worse, memory on one
// scale, and what is chosen differently; each choice can be taken over.
class ComparePanel : public QWidget {
  Q_OBJECT

 public:
  explicit ComparePanel(Session& session);

 private:
  QWidget* makeFigures();
  QWidget* makeChoices();
  void refreshVariants();
  void request();
  void show();
  void showFigures();
  void showChoices();
  void takeOver();

  Session& session_;
  QComboBox* other_;
  QPushButton* duplicate_;
  QTreeWidget* figures_;
  MemoryBar* bar_;
  QListWidget* choices_;
  QPushButton* take_;
  QLabel* note_;
  AnalysisRef found_;  // of the other variant
  std::size_t index_ = 0;
};

}  // namespace ui
