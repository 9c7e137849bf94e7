#pragma once

#include <QWidget>

class QListWidget;

namespace ui {

class Actions;
class RecentFiles;

// What is seen before anything is open: three doors, recent files, and room to drop a file anywhere.
class StartPage : public QWidget {
  Q_OBJECT

 public:
  StartPage(const Actions& actions, RecentFiles& recent, QWidget* parent = nullptr);

 signals:
  void fileChosen(const QString& path);

 private:
  void refresh();

  RecentFiles& recent_;
  QListWidget* list_;
};

}  // namespace ui
