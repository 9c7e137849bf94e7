#pragma once

#include <QHash>
#include <QObject>
#include <QString>

class QDockWidget;
class QMainWindow;

namespace ui {

class Session;

// The docks, made from the table of panels, and three arrangements of them: Design, Compare, Run. What a person moves
// is kept for each; reset puts it back.
class Workspaces : public QObject {
  Q_OBJECT

 public:
  Workspaces(Session& session, QMainWindow& window, bool restore);  // the arrangements that were kept

  void show(QChar workspace);  // 'd', 'c' or 'r'
  QChar current() const { return current_; }
  void reset();
  void setEmpty(bool empty);   // nothing is open: no docks
  void keep();  // for the next start
  void raise(const QString& panel);
  void toggleFloating();  // of the panel that has the focus
  QDockWidget* dock(const QString& panel) const { return docks_.value(panel); }
  void focusNext(int direction);  // F6: canvas, then each visible panel

 private:
  void arrange(QChar workspace);
  void refreshTitles();  // a dock among tabs has its name on the tab

  QMainWindow& window_;
  QHash<QString, QDockWidget*> docks_;
  QHash<QChar, QByteArray> states_;
  QChar current_ = 'd';
  bool empty_ = false;
};

}  // namespace ui
