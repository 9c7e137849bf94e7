#include "ui/main_window/shortcut_overlay.h"

#include <QAction>
#include <QKeyEvent>
#include <QPainter>

#include "ui/actions/actions.h"
#include "ui/theme/theme.h"

namespace ui {
namespace {

using Rows = std::vector<std::pair<QString, QString>>;

QString tr(const char* text) {
  return ShortcutOverlay::tr(text);
}

// Keys that widgets understand by themselves.
Rows canvasKeys() {
  return {
      {tr("Scroll, middle drag, Space+drag"), tr("Pan")},        {tr("Ctrl+wheel, pinch"), tr("Zoom at the pointer")},
      {tr("Left drag on empty"), tr("Select by a rubber band")}, {tr("Shift, Ctrl"), tr("Add to, toggle")},
      {tr("Double-click, Ctrl+Left/Right"), tr("Fold, unfold")}, {tr("Arrows"), tr("Walk along edges")},
      {tr("L, Shift+L"), tr("Select upstream, downstream")},     {tr("Esc"), tr("Select nothing, cancel a drag")}};
}

Rows chipKeys() {
  return {{tr("Drag"), tr("Dimension onto axis, axis onto dimension")},
          {tr("Enter"), tr("List the choices with the effect of each")},
          {tr("Del"), tr("Take off an axis")},
          {tr("P"), tr("Pin, unpin")},
          {tr("Alt+drop"), tr("This layer only")}};
}

Rows timelineKeys() {
  return {{tr("W, S, Ctrl+wheel"), tr("Zoom")},
          {tr("A, D, Shift+drag"), tr("Pan")},
          {tr("Drag"), tr("Choose a range")},
          {tr(", and ."), tr("Previous, next span")},
          {tr("M"), tr("Mark")},
          {tr("F"), tr("Fit")}};
}

}  // namespace

ShortcutOverlay::ShortcutOverlay(const Actions& actions, QWidget* window) : QWidget(window) {
  setObjectName("shortcutOverlay");
  setAccessibleName(tr("Keyboard shortcuts"));
  setAttribute(Qt::WA_DeleteOnClose);
  setFocusPolicy(Qt::StrongFocus);
  for (const QAction* action : actions.all()) {
    QString keys = actionKeys(action);
    if (keys.isEmpty()) continue;
    if (groups_.empty() || groups_.back().title != actionMenu(action)) groups_.push_back({actionMenu(action), {}});
    groups_.back().rows.emplace_back(keys, actionTitle(action).remove(QStringLiteral(" …")));
  }
  groups_.push_back({tr("Canvas"), canvasKeys()});
  groups_.push_back({tr("Chips"), chipKeys()});
  groups_.push_back({tr("Timeline"), timelineKeys()});
  setGeometry(window->rect());
  show();
  raise();
  setFocus();
}

void ShortcutOverlay::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  QColor ground = theme().ground;
  ground.setAlphaF(0.96F);
  painter.fillRect(rect(), ground);
  QFontMetrics metrics(font());
  int line = metrics.height() + 3, top = 28, columnWidth = qMax(330, (width() - 60) / qMax(1, (width() - 60) / 400)),
      x = 30, y = top;
  QFont bold = font();
  bold.setBold(true);
  for (const Group& group : groups_) {
    int height = line * (static_cast<int>(group.rows.size()) + 2);
    if (y > top && y + height > this->height() - 16) {
      x += columnWidth;
      y = top;
    }
    painter.setFont(bold);
    painter.setPen(theme().accent);
    painter.drawText(QRect(x, y, columnWidth, line), Qt::AlignVCenter, group.title);
    painter.setFont(font());
    y += line;
    for (const auto& [keys, what] : group.rows) {
      painter.setPen(theme().text);
      painter.drawText(QRect(x, y, 165, line), Qt::AlignVCenter, metrics.elidedText(keys, Qt::ElideRight, 160));
      painter.setPen(theme().muted);
      painter.drawText(QRect(x + 170, y, columnWidth - 185, line), Qt::AlignVCenter,
                       metrics.elidedText(what, Qt::ElideRight, columnWidth - 190));
      y += line;
    }
    y += line;
  }
}

void ShortcutOverlay::keyPressEvent(QKeyEvent*) {
  close();
}
void ShortcutOverlay::mousePressEvent(QMouseEvent*) {
  close();
}

}  // namespace ui
