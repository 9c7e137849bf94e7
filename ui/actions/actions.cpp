#include "ui/actions/actions.h"

#include <QAction>
#include <QCoreApplication>
#include <QVariant>
#include <QWidget>
#include <cassert>

#include "ui/theme/icon.h"

namespace ui {
namespace {

constexpr ActionScope canvas = ActionScope::canvas;
constexpr ActionScope window = ActionScope::window;

// In the order of the menus. "-" alone is a line.
const ActionInfo table[] = {
    {"file.open", "File", QT_TRANSLATE_NOOP("Actions", "&Open …"), "Ctrl+O", "open"},
    {"file.sample", "File", QT_TRANSLATE_NOOP("Actions", "Open &sample"), "", "graph"},
    {"file.new", "File", QT_TRANSLATE_NOOP("Actions", "&New model …"), "Ctrl+N", "new"},
    {"-", "File", "", "", ""},
    {"file.save", "File", QT_TRANSLATE_NOOP("Actions", "&Save"), "Ctrl+S", "save"},
    {"file.saveAs", "File", QT_TRANSLATE_NOOP("Actions", "Save &as …"), "Ctrl+Shift+S", "save"},
    {"file.exportLayout", "File/Export", QT_TRANSLATE_NOOP("Actions", "&Layout as JSON …"), "Ctrl+E", "export"},
    {"file.copyLayout", "File/Export", QT_TRANSLATE_NOOP("Actions", "&Copy layout as text"), "Ctrl+Alt+C", "export"},
    {"file.exportAs", "File/Export", QT_TRANSLATE_NOOP("Actions", "&Other forms …"), "Ctrl+Shift+E", "export"},
    {"file.exportPicture", "File/Export", QT_TRANSLATE_NOOP("Actions", "&Picture of the graph …"), "", "export"},
    {"-", "File", "", "", ""},
    {"file.close", "File", QT_TRANSLATE_NOOP("Actions", "&Close"), "Ctrl+W", "close"},
    {"file.quit", "File", QT_TRANSLATE_NOOP("Actions", "&Quit"), "Ctrl+Q", ""},

    {"edit.undo", "Edit", QT_TRANSLATE_NOOP("Actions", "&Undo"), "Ctrl+Z", "undo"},
    {"edit.redo", "Edit", QT_TRANSLATE_NOOP("Actions", "&Redo"), "Ctrl+Shift+Z; Ctrl+Y", "redo"},
    {"-", "Edit", "", "", ""},
    {"edit.rename", "Edit", QT_TRANSLATE_NOOP("Actions", "Re&name …"), "F2", ""},
    {"edit.delete", "Edit", QT_TRANSLATE_NOOP("Actions", "&Delete"), "Del", "delete", canvas},
    {"edit.unselect", "Edit", QT_TRANSLATE_NOOP("Actions", "Select nothi&ng"), "Ctrl+Shift+A", ""},
    {"-", "Edit", "", "", ""},
    {"edit.find", "Edit", QT_TRANSLATE_NOOP("Actions", "&Find …"), "Ctrl+F", "search"},
    {"edit.findNext", "Edit", QT_TRANSLATE_NOOP("Actions", "Find ne&xt"), "F3", ""},
    {"edit.findPrevious", "Edit", QT_TRANSLATE_NOOP("Actions", "Find &previous"), "Shift+F3", ""},
    {"edit.goTo", "Edit", QT_TRANSLATE_NOOP("Actions", "&Go to …"), "Ctrl+P", "search"},
    {"edit.palette", "Edit", QT_TRANSLATE_NOOP("Actions", "&Command palette …"), "Ctrl+Shift+P", ""},

    {"view.design", "View", QT_TRANSLATE_NOOP("Actions", "Workspace &Design"), "Alt+1", "layout"},
    {"view.compare", "View", QT_TRANSLATE_NOOP("Actions", "Workspace &Compare"), "Alt+2", "compare"},
    {"view.run", "View", QT_TRANSLATE_NOOP("Actions", "Workspace &Run"), "Alt+3", "run"},
    {"view.reset", "View", QT_TRANSLATE_NOOP("Actions", "Reset &panels"), "", ""},
    {"view.float", "View", QT_TRANSLATE_NOOP("Actions", "Floa&t or dock the panel"), "Ctrl+Alt+F", ""},
    {"view.nextPane", "View", QT_TRANSLATE_NOOP("Actions", "&Next pane"), "F6", ""},
    {"view.previousPane", "View", QT_TRANSLATE_NOOP("Actions", "Previous pane"), "Shift+F6", ""},
    {"-", "View", "", "", ""},
    {"view.zoomIn", "View", QT_TRANSLATE_NOOP("Actions", "Zoom &in"), "Ctrl+=; Ctrl++", "zoom-in"},
    {"view.zoomOut", "View", QT_TRANSLATE_NOOP("Actions", "Zoom &out"), "Ctrl+-", "zoom-out"},
    {"view.zoomReset", "View", QT_TRANSLATE_NOOP("Actions", "&Actual size"), "Ctrl+0", ""},
    {"view.fit", "View", QT_TRANSLATE_NOOP("Actions", "&Fit selection, or all"), "F", "fit", canvas},
    {"view.fitAll", "View", QT_TRANSLATE_NOOP("Actions", "Fit a&ll"), "Shift+F", "fit", canvas},
    {"view.overlayNone", "View/Overlay", QT_TRANSLATE_NOOP("Actions", "No overlay"), "", "", window, true},
    {"view.overlayMemory", "View/Overlay", QT_TRANSLATE_NOOP("Actions", "Memory"), "", "memory", window, true},
    {"view.overlayCompute", "View/Overlay", QT_TRANSLATE_NOOP("Actions", "Compute time"), "", "clock", window, true},
    {"view.overlayCommunication", "View/Overlay", QT_TRANSLATE_NOOP("Actions", "Communication"), "", "communication",
     window, true},
    {"view.overlaySource", "View/Overlay", QT_TRANSLATE_NOOP("Actions", "Source of the layout"), "", "pin", window,
     true},
    {"view.wheelZooms", "View", QT_TRANSLATE_NOOP("Actions", "Plain &wheel zooms"), "Ctrl+M", "", window, true},
    {"view.themeSystem", "View/Theme", QT_TRANSLATE_NOOP("Actions", "Follow the &system"), "", "theme", window, true},
    {"view.themeLight", "View/Theme", QT_TRANSLATE_NOOP("Actions", "&Light"), "", "", window, true},
    {"view.themeDark", "View/Theme", QT_TRANSLATE_NOOP("Actions", "&Dark"), "", "", window, true},
    {"view.themeContrast", "View/Theme", QT_TRANSLATE_NOOP("Actions", "&High contrast"), "", "", window, true},

    {"graph.unfold", "Graph", QT_TRANSLATE_NOOP("Actions", "&Unfold or fold"), "", "expand", canvas},
    {"graph.unfoldAll", "Graph", QT_TRANSLATE_NOOP("Actions", "Unfold &all"), "Ctrl+Alt+Right", "expand"},
    {"graph.foldAll", "Graph", QT_TRANSLATE_NOOP("Actions", "&Fold all"), "Ctrl+Alt+Left", "collapse"},
    {"graph.enter", "Graph", QT_TRANSLATE_NOOP("Actions", "&Enter the group"), "Alt+Down", ""},
    {"graph.leave", "Graph", QT_TRANSLATE_NOOP("Actions", "&Leave the group"), "Alt+Up", ""},
    {"-", "Graph", "", "", ""},
    {"graph.back", "Graph", QT_TRANSLATE_NOOP("Actions", "&Back to the last place"), "Alt+Left", "back"},
    {"graph.forward", "Graph", QT_TRANSLATE_NOOP("Actions", "F&orward"), "Alt+Right", "forward"},
    {"graph.bind", "Graph", QT_TRANSLATE_NOOP("Actions", "Give a dimension a &size …"), "", ""},

    {"layout.dataParallel", "Layout", QT_TRANSLATE_NOOP("Actions", "&Data-parallel"), "Ctrl+1", "layout"},
    {"layout.megatron", "Layout", QT_TRANSLATE_NOOP("Actions", "&Megatron"), "Ctrl+2", "layout"},
    {"layout.clear", "Layout", QT_TRANSLATE_NOOP("Actions", "&Clear"), "", ""},
    {"-", "Layout", "", "", ""},
    {"layout.duplicate", "Layout", QT_TRANSLATE_NOOP("Actions", "D&uplicate variant"), "Ctrl+D", "duplicate"},
    {"layout.renameVariant", "Layout", QT_TRANSLATE_NOOP("Actions", "&Rename variant …"), "", ""},
    {"layout.removeVariant", "Layout", QT_TRANSLATE_NOOP("Actions", "R&emove variant"), "", "remove"},
    {"layout.nextVariant", "Layout", QT_TRANSLATE_NOOP("Actions", "&Next variant"), "Ctrl+PgDown", ""},

    {"run.start", "Run", QT_TRANSLATE_NOOP("Actions", "&Run this variant"), "F5", "run"},
    {"run.stop", "Run", QT_TRANSLATE_NOOP("Actions", "&Stop after the step"), "Shift+F5", "stop"},
    {"run.open", "Run", QT_TRANSLATE_NOOP("Actions", "&Open run …"), "Ctrl+Shift+O", "timeline"},
    {"run.close", "Run", QT_TRANSLATE_NOOP("Actions", "&Close the run"), "", ""},

    {"help.shortcuts", "Help", QT_TRANSLATE_NOOP("Actions", "&Keyboard shortcuts"), "?; F1", "help"},
    {"help.about", "Help", QT_TRANSLATE_NOOP("Actions", "&About"), "", ""},
};

QList<QKeySequence> sequencesOf(const char* keys) {
  QList<QKeySequence> found;
  for (const QString& one : QString::fromLatin1(keys).split(QStringLiteral("; "), Qt::SkipEmptyParts))
    found << QKeySequence(one);
  return found;
}

}  // namespace

std::span<const ActionInfo> actionTable() {
  return table;
}

Actions::Actions(QWidget* window) : QObject(window) {
  for (const ActionInfo& info : table) {
    if (*info.text == 0) continue;
    auto* action = new QAction(QCoreApplication::translate("Actions", info.text), window);
    action->setObjectName(info.id);
    action->setShortcuts(sequencesOf(info.keys));
    action->setProperty("menu", QString::fromLatin1(info.menu).section('/', 0, 0));
    action->setCheckable(info.checkable);
    if (*info.icon) action->setIcon(icon(info.icon));
    if (info.scope == ActionScope::canvas)
      action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    else
      window->addAction(action);
    actions_.insert(info.id, action);
    order_.push_back(action);
  }
}

QAction* Actions::operator[](const QString& id) const {
  QAction* found = actions_.value(id);
  assert(found && "every id that is asked for stands in the table");
  return found;
}

void Actions::on(const QString& id, QObject* context, std::function<void()> run) {
  connect((*this)[id], &QAction::triggered, context, [run = std::move(run)] { run(); });
}

void Actions::setEnabled(std::initializer_list<const char*> ids, bool enabled) {
  for (const char* id : ids) (*this)[id]->setEnabled(enabled);
}

void Actions::addTo(QWidget* canvasWidget) {
  for (const ActionInfo& info : table)
    if (info.scope == ActionScope::canvas) canvasWidget->addAction((*this)[info.id]);
}

QString actionMenu(const QAction* action) {
  return action->property("menu").toString();
}

QString actionTitle(const QAction* action) {
  return QString(action->text()).remove('&');
}

QString actionKeys(const QAction* action) {
  QStringList keys;
  for (const QKeySequence& one : action->shortcuts()) keys << one.toString(QKeySequence::NativeText);
  return keys.join(QStringLiteral(", "));
}

}  // namespace ui
