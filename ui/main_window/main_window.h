#pragma once

#include <QMainWindow>

#include "ui/actions/actions.h"
#include "ui/session/session.h"

class QStackedWidget;

namespace ui {

class CanvasView;
class CommandPalette;
class EffectBox;
class Exporter;
class FileFlow;
class StartPage;
class StatusLine;
class Workspaces;

struct WindowOptions {
  QString recoveryFolder;       // empty: the person's
  bool keepArrangement = true;  // read and write the person's settings of docks
};

// The window: menus, toolbar, docks, the graph in the middle. Owns the session.
class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  explicit MainWindow(WindowOptions options = {}, QWidget* parent = nullptr);
  MainWindow(Analyze analyze, WindowOptions options, QWidget* parent = nullptr);
  ~MainWindow() override;

  Session& session() { return session_; }
  Actions& actions() { return actions_; }
  FileFlow& files() { return *files_; }
  Exporter& exporter() { return *exporter_; }
  CanvasView& view() { return *view_; }
  Workspaces& workspaces() { return *workspaces_; }
  EffectBox& effectBox() { return *effect_; }

  // For pictures: estimate and graph are there when it returns, or the time is over.
  void settle(int milliseconds = 15000);

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void build();
  void buildMenus();
  void fillRecent(QMenu* menu);
  void bindFiles();
  void bindEdit();
  void bindView();
  void bindLayout();
  void bindRun();
  void refreshActions();
  void refreshTitle();
  void openPalette();
  void openGoTo();
  void renameSelected();
  void bindSelected();
  void exportPicture();

  WindowOptions options_;
  Session session_;
  Actions actions_;
  QStackedWidget* middle_ = nullptr;
  FileFlow* files_ = nullptr;
  Exporter* exporter_ = nullptr;
  CanvasView* view_ = nullptr;
  StartPage* start_ = nullptr;
  Workspaces* workspaces_ = nullptr;
  CommandPalette* palette_ = nullptr;
  EffectBox* effect_ = nullptr;
};

}  // namespace ui
