#pragma once

#include <QWidget>

class QLabel;
class QTreeWidget;

namespace ui {

class Session;

// Predicted beside measured, an instruction on a rank a row, the slowest first; when the run is over.
class MeasuredPanel : public QWidget {
  Q_OBJECT

 public:
  explicit MeasuredPanel(Session& session);

 private:
  void refresh();

  Session& session_;
  QLabel* note_;
  QTreeWidget* rows_;
};

}  // namespace ui
