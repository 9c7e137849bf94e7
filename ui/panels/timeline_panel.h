#pragma once

#include <QWidget>

#include "ui/models/trace_rows.h"

class QLabel;
class QPushButton;
class QStackedWidget;

namespace ui {

class Session;
class Timeline;

// Spans of the open run by rank, as they come; selecting one selects its instruction everywhere.
class TimelinePanel : public QWidget {
  Q_OBJECT

 public:
  explicit TimelinePanel(Session& session);

 private:
  void restart();
  void grow();
  void predict();
  void follow();
  void showSelection();
  QString predictedNote() const;

  Session& session_;
  Timeline* timeline_;
  QPushButton* resume_;
  QLabel* note_;
  TraceRows rows_;
};

}  // namespace ui
