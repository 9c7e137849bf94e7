#pragma once

#include <QWidget>

class QListWidget;

namespace ui {

class Session;

// The steps of the document, newest last; choosing one goes there.
class HistoryPanel : public QWidget {
  Q_OBJECT

 public:
  explicit HistoryPanel(Session& session);

 private:
  void refresh();

  Session& session_;
  QListWidget* list_;
};

}  // namespace ui
