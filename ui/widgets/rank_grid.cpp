#include "ui/widgets/rank_grid.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "ui/theme/theme.h"
#include "ui/widgets/paint_tools.h"

namespace ui {

namespace {

constexpr double gridLeft = 26, gridTop = 20, cellGap = 3;

struct StateLook {
  const char* word;
  QChar letter;
};

StateLook lookOf(RankState state) {
  switch (state) {
    case RankState::waiting:
      return {QT_TRANSLATE_NOOP("ui::RankGrid", "waiting"), QLatin1Char('w')};
    case RankState::starting:
      return {QT_TRANSLATE_NOOP("ui::RankGrid", "starting"), QLatin1Char('s')};
    case RankState::running:
      return {QT_TRANSLATE_NOOP("ui::RankGrid", "running"), QLatin1Char('R')};
    case RankState::done:
      return {QT_TRANSLATE_NOOP("ui::RankGrid", "done"), QChar(0x2713)};
    case RankState::failed:
      return {QT_TRANSLATE_NOOP("ui::RankGrid", "failed"), QLatin1Char('!')};
    case RankState::lost:
      return {QT_TRANSLATE_NOOP("ui::RankGrid", "lost contact"), QLatin1Char('?')};
  }
  return {"", QLatin1Char(' ')};
}

QColor colourOf(RankState state) {
  const Theme& t = theme();
  switch (state) {
    case RankState::running:
      return t.information;
    case RankState::done:
      return t.good;
    case RankState::failed:
      return t.error;
    case RankState::lost:
      return t.warning;
    default:
      return t.strong;
  }
}

}  // namespace

QString rankStateText(RankState state) {
  return RankGrid::tr(lookOf(state).word);
}

RankGrid::RankGrid(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("rankGrid"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAccessibleName(tr("Ranks"));
}

void RankGrid::setData(RankGridData data) {
  if (data == data_) return;
  data_ = std::move(data);
  data_.columns = std::max(1, data_.columns);
  if (selected_ >= static_cast<int>(data_.cells.size())) selected_ = -1;
  updateGeometry();
  update();
}

double RankGrid::cellSize() const {
  auto rows =
      (data_.cells.size() + static_cast<std::size_t>(data_.columns) - 1) / static_cast<std::size_t>(data_.columns);
  double wide = (width() - gridLeft - 6) / data_.columns;
  double high = (height() - gridTop - 6) / static_cast<double>(std::max<std::size_t>(1, rows));
  return std::clamp(std::min(wide, high), 6.0, 44.0);
}

QSize RankGrid::sizeHint() const {
  int rows = (static_cast<int>(data_.cells.size()) + data_.columns - 1) / data_.columns;
  double cell = std::clamp(420.0 / std::max({1, data_.columns, rows}), 14.0, 40.0);
  return {static_cast<int>(gridLeft + data_.columns * cell + 8),
          static_cast<int>(gridTop + std::max(1, rows) * cell + 8)};
}

QRectF RankGrid::cellRect(int rank) const {
  double size = cellSize();
  return {gridLeft + (rank % data_.columns) * size, gridTop + (rank / data_.columns) * size, size - cellGap,
          size - cellGap};
}

int RankGrid::rankAt(QPointF at) const {
  double size = cellSize();
  int column = static_cast<int>((at.x() - gridLeft) / size), row = static_cast<int>((at.y() - gridTop) / size);
  int rank = row * data_.columns + column;
  bool inside =
      at.x() >= gridLeft && at.y() >= gridTop && column < data_.columns && rank < static_cast<int>(data_.cells.size());
  return inside ? rank : -1;
}

void RankGrid::setSelected(int rank) {
  rank = std::clamp(rank, -1, static_cast<int>(data_.cells.size()) - 1);
  if (rank == selected_) return;
  selected_ = rank;
  if (rank >= 0)
    setAccessibleDescription(
        tr("Rank %1, %2").arg(rank).arg(rankStateText(data_.cells[static_cast<std::size_t>(rank)].state)));
  update();
  emit selectedChanged(rank);
}

void RankGrid::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme& t = theme();
  painter.setPen(t.muted);
  painter.setFont(sized(font(), leastTextPixels));
  painter.drawText(QRectF(gridLeft, 0, width() - gridLeft, gridTop - 3), Qt::AlignBottom | Qt::AlignLeft,
                   data_.columnAxis + QStringLiteral(" \u2192"));
  painter.save();
  painter.translate(gridLeft - 6, gridTop);
  painter.rotate(-90);
  painter.drawText(QRectF(-(height() - gridTop), -18, height() - gridTop, 16), Qt::AlignRight | Qt::AlignVCenter,
                   QStringLiteral("\u2190 ") + data_.rowAxis);
  painter.restore();
  for (int rank = 0; rank < static_cast<int>(data_.cells.size()); ++rank) paintCell(painter, rank);
  if (data_.hostSize > 0 && data_.hostSize % data_.columns == 0) {  // hosts are whole rows: outline them
    painter.setBrush(Qt::NoBrush);
    painter.setPen(cosmetic(t.strong, 1, Qt::DashLine));
    for (int first = 0; first < static_cast<int>(data_.cells.size()); first += data_.hostSize) {
      int last = std::min(first + data_.hostSize, static_cast<int>(data_.cells.size())) - 1;
      painter.drawRoundedRect(cellRect(first).united(cellRect(last)).adjusted(-1.5, -1.5, 1.5, 1.5), 4, 4);
    }
  }
}

void RankGrid::paintCell(QPainter& painter, int rank) const {
  const Theme& t = theme();
  const RankCell& cell = data_.cells[static_cast<std::size_t>(rank)];
  QRectF box = cellRect(rank);
  QColor colour = colourOf(cell.state);
  bool quiet = cell.state == RankState::waiting;
  painter.setPen(cosmetic(colour, rank == hovered_ ? 2 : 1, quiet ? Qt::DotLine : Qt::SolidLine));
  painter.setBrush(mix(t.surface, colour, quiet ? 0.0 : cell.state == RankState::running ? 0.22 : 0.35));
  painter.drawRoundedRect(box, 3, 3);
  if (rank == selected_) paintFocusRing(painter, box.adjusted(-2, -2, 2, 2), 4);
  if (box.width() < 12) return;
  painter.setPen(t.text);
  painter.setFont(sized(font(), std::min(15.0, std::max(9.0, box.width() * 0.45)), true));
  QString text = cell.group >= 0 ? QString::number(cell.group) : QString(lookOf(cell.state).letter);
  painter.drawText(box.width() >= 26 ? box.adjusted(0, -4, 0, -6) : box, Qt::AlignCenter, text);
  if (box.width() < 26) return;
  painter.setFont(sized(font(), 9));
  painter.setPen(t.muted);
  painter.drawText(box.adjusted(0, 0, 0, -1), Qt::AlignBottom | Qt::AlignHCenter, QString::number(rank));
}

void RankGrid::mousePressEvent(QMouseEvent* event) {
  setSelected(rankAt(event->position()));
}

void RankGrid::mouseDoubleClickEvent(QMouseEvent* event) {
  if (int rank = rankAt(event->position()); rank >= 0) emit rankActivated(rank);
}

void RankGrid::mouseMoveEvent(QMouseEvent* event) {
  int rank = rankAt(event->position());
  if (rank == hovered_) return;
  hovered_ = rank;
  update();
  emit rankHovered(rank);
}

void RankGrid::leaveEvent(QEvent*) {
  if (hovered_ < 0) return;
  hovered_ = -1;
  update();
  emit rankHovered(-1);
}

void RankGrid::keyPressEvent(QKeyEvent* event) {
  int rank = std::max(0, selected_), columns = data_.columns, count = static_cast<int>(data_.cells.size());
  switch (event->key()) {
    case Qt::Key_Left:
      return setSelected(std::max(0, rank - 1));
    case Qt::Key_Right:
      return setSelected(selected_ < 0 ? 0 : rank + 1);
    case Qt::Key_Up:
      return setSelected(rank >= columns ? rank - columns : rank);
    case Qt::Key_Down:
      return setSelected(rank + columns < count ? rank + columns : rank);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (selected_ >= 0) emit rankActivated(selected_);
      return;
    default:
      QWidget::keyPressEvent(event);
  }
}

bool RankGrid::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  auto* help = static_cast<QHelpEvent*>(event);
  int rank = rankAt(help->pos());
  if (rank < 0) {
    QToolTip::hideText();
    return true;
  }
  const RankCell& cell = data_.cells[static_cast<std::size_t>(rank)];
  QString text = tr("Rank %1: %2").arg(rank).arg(rankStateText(cell.state));
  QToolTip::showText(help->globalPos(), cell.tip.isEmpty() ? text : text + QLatin1Char('\n') + cell.tip, this);
  return true;
}

}  // namespace ui
