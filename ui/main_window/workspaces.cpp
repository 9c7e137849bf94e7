#include "ui/main_window/workspaces.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QSettings>

#include "ui/panels/panels.h"
#include "ui/theme/icon.h"

namespace ui {
namespace {

Qt::DockWidgetArea areaOf(PanelPlace place) {
  switch (place) {
    case PanelPlace::left:
      return Qt::LeftDockWidgetArea;
    case PanelPlace::right:
      return Qt::RightDockWidgetArea;
    case PanelPlace::bottom:
      return Qt::BottomDockWidgetArea;
  }
  return Qt::LeftDockWidgetArea;
}

QString stateKey(QChar workspace) {
  return QStringLiteral("workspace/%1").arg(workspace);
}

constexpr int stateVersion = 4;  // of the table of panels: an older arrangement is not restored

}  // namespace

Workspaces::Workspaces(Session& session, QMainWindow& window, bool restore) : QObject(&window), window_(window) {
  window_.setDockNestingEnabled(true);
  window_.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  window_.setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
  window_.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  for (const PanelInfo& info : panels()) {
    auto* dock = new QDockWidget(panelTitle(info), &window_);
    dock->setObjectName(QStringLiteral("dock:%1").arg(info.id));
    dock->setAccessibleName(panelTitle(info));
    dock->setWidget(info.make(session));
    dock->toggleViewAction()->setIcon(icon(info.icon));
    dock->toggleViewAction()->setObjectName(QStringLiteral("panel:%1").arg(info.id));
    docks_.insert(info.id, dock);
    // After the window has settled: a tab may come or go with this one.
    for (auto signal : {&QDockWidget::topLevelChanged, &QDockWidget::visibilityChanged})
      connect(dock, signal, this, &Workspaces::refreshTitles, Qt::QueuedConnection);
    connect(dock, &QDockWidget::dockLocationChanged, this, &Workspaces::refreshTitles, Qt::QueuedConnection);
  }
  QSettings settings;
  for (QChar workspace : {'d', 'c', 'r'})
    if (restore) states_.insert(workspace, settings.value(stateKey(workspace)).toByteArray());
  arrange(current_);
}

void Workspaces::arrange(QChar workspace) {
  QHash<int, QDockWidget*> first;
  for (const PanelInfo& info : panels()) {
    QDockWidget* dock = docks_[info.id];
    window_.removeDockWidget(dock);
    dock->setFloating(false);
    window_.addDockWidget(areaOf(info.place), dock);
    dock->setVisible(QString::fromLatin1(info.workspaces).contains(workspace));
  }
  window_.tabifyDockWidget(docks_["outline"], docks_["history"]);
  constexpr int heightForBoth = 850;
  bool below = window_.height() >= heightForBoth;  // the inspector below the layout, else a tab beside it
  if (below) window_.splitDockWidget(docks_["layout"], docks_["inspector"], Qt::Vertical);
  for (const char* id : {"inspector", "mesh", "run"})
    if (!below || QLatin1String(id) != QLatin1String("inspector"))
      window_.tabifyDockWidget(docks_["layout"], docks_[id]);
  for (const char* id : {"compare", "problems", "timeline", "measured", "log"})
    window_.tabifyDockWidget(docks_["estimate"], docks_[id]);
  if (workspace == 'd') docks_["mesh"]->setVisible(true);
  window_.resizeDocks({docks_["outline"], docks_["layout"]}, {250, 330}, Qt::Horizontal);
  QDockWidget* bottom = docks_[workspace == 'd' ? "estimate" : workspace == 'c' ? "compare" : "timeline"];
  window_.resizeDocks({bottom}, {workspace == 'd' ? 210 : 300}, Qt::Vertical);
  window_.resizeDocks({docks_["layout"], docks_["inspector"]}, {330, 330}, Qt::Vertical);
  docks_["outline"]->raise();
  docks_[workspace == 'r' ? "run" : "layout"]->raise();
  bottom->raise();
  refreshTitles();
}

void Workspaces::refreshTitles() {
  for (QDockWidget* dock : docks_) {
    bool amongTabs = false;
    for (const QDockWidget* other : window_.tabifiedDockWidgets(dock))
      amongTabs = amongTabs || other->isVisibleTo(&window_);
    bool bare = amongTabs && !dock->isFloating();
    if (bare == (dock->titleBarWidget() != nullptr)) continue;
    QWidget* old = dock->titleBarWidget();
    auto* none = bare ? new QWidget(dock) : nullptr;
    if (none) none->setObjectName("noTitle");
    dock->setTitleBarWidget(none);
    if (old) old->deleteLater();
  }
}

void Workspaces::toggleFloating() {
  for (QDockWidget* dock : docks_)
    if (dock->isAncestorOf(QApplication::focusWidget())) return dock->setFloating(!dock->isFloating());
}

void Workspaces::show(QChar workspace) {
  setEmpty(false);  // a run can be watched without a plan
  if (workspace == current_) return;
  states_[current_] = window_.saveState(stateVersion);
  current_ = workspace;
  if (states_[workspace].isEmpty() || !window_.restoreState(states_[workspace], stateVersion)) arrange(workspace);
  refreshTitles();
}

void Workspaces::setEmpty(bool empty) {
  if (empty == empty_) return;
  empty_ = empty;
  if (empty) {
    states_[current_] = window_.saveState(stateVersion);
    for (QDockWidget* dock : docks_) dock->hide();
  } else if (states_[current_].isEmpty() || !window_.restoreState(states_[current_], stateVersion)) {
    arrange(current_);
  }
  refreshTitles();
}

void Workspaces::reset() {
  states_.clear();
  arrange(current_);
}

void Workspaces::keep() {
  if (!empty_) states_[current_] = window_.saveState(stateVersion);
  QSettings settings;
  for (auto it = states_.begin(); it != states_.end(); ++it) settings.setValue(stateKey(it.key()), it.value());
}

void Workspaces::raise(const QString& panel) {
  QDockWidget* dock = docks_.value(panel);
  if (!dock) return;
  dock->show();
  dock->raise();
  dock->widget()->setFocus();
}

void Workspaces::focusNext(int direction) {
  std::vector<QWidget*> panes{window_.centralWidget()};
  for (const PanelInfo& info : panels())
    if (QDockWidget* dock = docks_[info.id]; dock->isVisible() && !dock->visibleRegion().isEmpty())
      panes.push_back(dock->widget());
  int at = 0, count = static_cast<int>(panes.size());
  for (int i = 0; i < count; ++i)
    if (panes[static_cast<std::size_t>(i)]->isAncestorOf(QApplication::focusWidget())) at = i;
  QWidget* next = panes[static_cast<std::size_t>((at + direction + count) % count)];
  for (QWidget* child : next->findChildren<QWidget*>())
    if (child->isVisible() && (child->focusPolicy() & Qt::TabFocus)) return child->setFocus(Qt::TabFocusReason);
  next->setFocus(Qt::TabFocusReason);
}

}  // namespace ui
