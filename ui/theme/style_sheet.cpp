#include "ui/theme/appearance.h"
#include "ui/theme/theme.h"

namespace ui {

namespace {

// @name@ stands for a colour of the theme.
constexpr const char* sheet = R"(
QMainWindow, QDialog { background: @ground@; }
QMainWindow::separator { background: @ground@; width: 5px; height: 5px; }
QMainWindow::separator:hover { background: @accent@; }
QMenuBar { background: @ground@; padding: 2px 4px; }
QMenuBar::item { padding: 4px 9px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: @raised@; }
QMenu { background: @surface@; border: 1px solid @border@; padding: 5px; }
QMenu::item { padding: 5px 26px 5px 24px; border-radius: 4px; }
QMenu::item:selected { background: @accent@; color: @onAccent@; }
QMenu::item:disabled { color: @disabled@; }
QMenu::separator { height: 1px; background: @border@; margin: 5px 8px; }
QToolBar { background: @ground@; border: none; border-bottom: 1px solid @border@; spacing: 4px; padding: 4px 6px; }
QToolBar::separator { width: 1px; background: @border@; margin: 5px 5px; }
QToolButton { border: 1px solid transparent; border-radius: 5px; padding: 4px 8px; background: transparent; }
QToolButton:hover { background: @raised@; border-color: @border@; }
QToolButton:pressed, QToolButton:checked { background: @sunken@; border-color: @border@; }
QToolButton:focus { border-color: @accent@; }
QToolButton[popupMode="1"] { padding-right: 18px; }
QPushButton { background: @surface@; border: 1px solid @border@; border-radius: 5px; padding: 5px 14px; }
QPushButton:hover { background: @raised@; border-color: @strong@; }
QPushButton:pressed { background: @sunken@; }
QPushButton:focus { border-color: @accent@; }
QPushButton:default, QPushButton[primary="true"] { background: @accent@; color: @onAccent@; border-color: @accent@; }
QPushButton:default:hover, QPushButton[primary="true"]:hover { background: @accentHover@; }
QPushButton:disabled { color: @disabled@; background: @ground@; border-color: @border@; }
QLineEdit, QComboBox, QSpinBox, QDoubleSpinBox, QPlainTextEdit, QTextEdit {
  background: @surface@; border: 1px solid @border@; border-radius: 5px; padding: 3px 7px;
  selection-background-color: @accent@; selection-color: @onAccent@; }
QLineEdit:hover, QComboBox:hover, QSpinBox:hover, QDoubleSpinBox:hover { border-color: @strong@; }
QLineEdit:focus, QComboBox:focus, QSpinBox:focus, QDoubleSpinBox:focus, QPlainTextEdit:focus, QTextEdit:focus { border-color: @accent@; }
QComboBox::drop-down { border: none; width: 20px; }
QComboBox::down-arrow { image: url(:/sheet/down.svg); width: 12px; height: 12px; }
QComboBox QAbstractItemView { background: @surface@; border: 1px solid @border@; selection-background-color: @accent@; selection-color: @onAccent@; }
QDockWidget { titlebar-close-icon: none; font-weight: 600; }
QDockWidget::title { background: @ground@; padding: 7px 10px 5px 10px; border-bottom: 1px solid @border@; }
QTabWidget::pane { border: none; border-top: 1px solid @border@; }
QTabBar { background: @ground@; }
QTabBar::tab { background: transparent; color: @muted@; padding: 6px 12px; border: none; border-bottom: 2px solid transparent; }
QTabBar::tab:hover { color: @text@; background: @raised@; }
QTabBar::tab:selected { color: @text@; border-bottom: 2px solid @accent@; }
QTabBar::tab:focus { color: @accent@; }
QTreeView, QListView, QTableView { background: @surface@; border: none; outline: none; alternate-background-color: @alternate@; }
QTreeView::item, QListView::item, QTableView::item { padding: 3px 4px; border: none; }
QTreeView::item:hover, QListView::item:hover, QTableView::item:hover { background: @raised@; }
QTreeView::item:selected, QListView::item:selected, QTableView::item:selected { background: @selection@; color: @text@; }
QTreeView::item:selected:active, QListView::item:selected:active, QTableView::item:selected:active { background: @selectionActive@; color: @text@; }
QHeaderView::section { background: @ground@; color: @muted@; border: none; border-bottom: 1px solid @border@; padding: 4px 6px; }
QTableView { gridline-color: @border@; }
QTableCornerButton::section { background: @ground@; border: none; }
QGroupBox { border: none; border-top: 1px solid @border@; margin-top: 18px; padding-top: 6px; font-weight: 600; }
QGroupBox::title { subcontrol-origin: margin; left: 0px; color: @muted@; }
QStatusBar { background: @ground@; border-top: 1px solid @border@; color: @muted@; }
QStatusBar::item { border: none; }
QToolTip { background: @surface@; color: @text@; border: 1px solid @strong@; padding: 5px 7px; }
QScrollArea { border: none; background: transparent; }
QScrollBar:vertical { background: transparent; width: 11px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 11px; margin: 0; }
QScrollBar::handle { background: @scroll@; border-radius: 4px; margin: 2px; min-width: 28px; min-height: 28px; }
QScrollBar::handle:hover { background: @strong@; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QProgressBar { background: @sunken@; border: none; border-radius: 3px; height: 6px; text-align: center; color: @text@; }
QProgressBar::chunk { background: @accent@; border-radius: 3px; }
QSplitter::handle { background: @border@; }
)";

}  // namespace

QString styleSheetOf(const Theme& t) {
  QString text = QString::fromLatin1(sheet);
  const std::pair<const char*, QColor> tokens[] = {
      {"@ground@", t.ground},
      {"@surface@", t.surface},
      {"@raised@", t.raised},
      {"@sunken@", t.sunken},
      {"@border@", t.border},
      {"@strong@", t.strong},
      {"@text@", t.text},
      {"@muted@", t.muted},
      {"@accent@", t.accent},
      {"@onAccent@", t.onAccent},
      {"@accentHover@", mix(t.accent, t.text, 0.18)},
      {"@disabled@", mix(t.muted, t.ground, 0.35)},
      {"@alternate@", mix(t.surface, t.raised, 0.6)},
      {"@selection@", mix(t.surface, t.accent, 0.14)},
      {"@selectionActive@", mix(t.surface, t.accent, 0.22)},
      {"@scroll@", mix(t.ground, t.strong, 0.45)},
  };
  for (const auto& [name, colour] : tokens) text.replace(QLatin1String(name), colour.name());
  return text;
}

}  // namespace ui
