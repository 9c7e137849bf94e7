#pragma once

#include <QString>
#include <span>

class QWidget;

namespace ui {

class Session;

enum class PanelPlace { left, right, bottom };

// A dock of the main window. A panel knows its session and no other panel.
struct PanelInfo {
  const char* id;     // objectName of the dock, stable
  const char* title;  // translated when shown
  const char* icon;
  PanelPlace place;
  const char* workspaces;  // in which it is open: letters of "dcr" for Design, Compare, Run
  QWidget* (*make)(Session& session);
};

std::span<const PanelInfo> panels();
QString panelTitle(const PanelInfo& info);

}  // namespace ui
