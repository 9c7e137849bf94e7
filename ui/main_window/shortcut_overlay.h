#pragma once

#include <QWidget>

namespace ui {

class Actions;

// Every key on one page, over the window; any key or click closes it.
class ShortcutOverlay : public QWidget {
  Q_OBJECT

 public:
  ShortcutOverlay(const Actions& actions, QWidget* window);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  struct Group {
    QString title;
    std::vector<std::pair<QString, QString>> rows;  // key, what
  };
  std::vector<Group> groups_;
};

}  // namespace ui
