#pragma once

#include <QStatusBar>

class QLabel;

namespace ui {

class Canvas;
class Session;

// Hints for what the pointer is on, the last message, selection, state of the estimate, run, zoom.
class StatusLine : public QStatusBar {
  Q_OBJECT

 public:
  StatusLine(Session& session, Canvas& canvas, QWidget* parent);

 private:
  QLabel* part(const QString& objectName, const QString& name);
  void showMessage(const QString& text, bool isError);
  void refreshSelection();
  void refreshEstimate();
  void refreshRun();

  Session& session_;
  QLabel* hint_;
  QLabel* selection_;
  QLabel* estimate_;
  QLabel* run_;
  QLabel* zoom_;
  QString message_;
};

}  // namespace ui
