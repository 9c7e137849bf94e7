#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QPlainTextEdit;

namespace ui {

class Session;

// What the launcher and the ranks printed, filtered by a word.
class LogPanel : public QWidget {
  Q_OBJECT

 public:
  explicit LogPanel(Session& session);

 private:
  void refresh();

  Session& session_;
  QLineEdit* filter_;
  QPlainTextEdit* text_;
};

}  // namespace ui
