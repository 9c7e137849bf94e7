#pragma once

#include <QHash>
#include <QKeySequence>
#include <QObject>
#include <functional>
#include <span>
#include <vector>

class QAction;
class QWidget;

namespace ui {

enum class ActionScope {
  window,  // anywhere in the window
  canvas,  // with the focus on the canvas: single letters
};

// One thing that a person can ask for. Menus, toolbar, palette and the overlay of shortcuts are made from the table.
struct ActionInfo {
  const char* id;    // "file.open"
  const char* menu;  // "File", or "View/Theme"; empty = in no menu
  const char* text;  // translated when shown; "…" when it asks further
  const char* keys;  // QKeySequence as text, several by "; "
  const char* icon;
  ActionScope scope = ActionScope::window;
  bool checkable = false;
};

std::span<const ActionInfo> actionTable();

// The actions of one window.
class Actions : public QObject {
  Q_OBJECT

 public:
  explicit Actions(QWidget* window);

  QAction* operator[](const QString& id) const;  // one of the table
  void on(const QString& id, QObject* context, std::function<void()> run);
  void setEnabled(std::initializer_list<const char*> ids, bool enabled);
  void addTo(QWidget* canvas);  // those of the canvas
  const std::vector<QAction*>& all() const { return order_; }
  // Made by panels and lists (recent files, variants): found in the palette too.
  void addDynamic(QAction* action) { order_.push_back(action); }

 private:
  QHash<QString, QAction*> actions_;
  std::vector<QAction*> order_;
};

QString actionMenu(const QAction* action);   // "File"
QString actionTitle(const QAction* action);  // without mnemonic
QString actionKeys(const QAction* action);   // "Ctrl+O", empty = none

}  // namespace ui
