#include "ui/widgets/memory_bar.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <numeric>

#include "ui/theme/hatch.h"
#include "ui/theme/theme.h"
#include "ui/widgets/number_text.h"
#include "ui/widgets/paint_tools.h"

namespace ui {

namespace {

constexpr double top = 26, rowHeight = 46, barHeight = 22, labelWidth = 64, rightSpace = 96, legendHeight = 24;
constexpr int classes = 6;

}  // namespace

std::int64_t MemoryBarRow::total() const {
  return std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0});
}

QString memoryClassName(int memoryClass) {
  static const char* names[] = {
      QT_TRANSLATE_NOOP("ui::MemoryBar", "Parameters"),    QT_TRANSLATE_NOOP("ui::MemoryBar", "Gradients"),
      QT_TRANSLATE_NOOP("ui::MemoryBar", "Optimizer"),     QT_TRANSLATE_NOOP("ui::MemoryBar", "Activations"),
      QT_TRANSLATE_NOOP("ui::MemoryBar", "Communication"), QT_TRANSLATE_NOOP("ui::MemoryBar", "Inputs")};
  return MemoryBar::tr(names[memoryClass % classes]);
}

MemoryBar::MemoryBar(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("memoryBar"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAccessibleName(tr("Memory per device"));
}

void MemoryBar::setData(MemoryBarData data) {
  if (data == data_) return;
  data_ = std::move(data);
  row_ = std::clamp(row_, 0, std::max(0, static_cast<int>(data_.rows.size()) - 1));
  QStringList said;
  for (const MemoryBarRow& row : data_.rows) said += row.label + QLatin1Char(' ') + bytesText(row.total());
  setAccessibleDescription(said.join(QStringLiteral("; ")));
  updateGeometry();
  update();
}

QSize MemoryBar::sizeHint() const {
  return {520, static_cast<int>(top + rowHeight * static_cast<double>(std::max<std::size_t>(1, data_.rows.size())) +
                                legendHeight)};
}

QSize MemoryBar::minimumSizeHint() const {
  return {300, sizeHint().height()};
}

double MemoryBar::scale() const {
  std::int64_t most = data_.capacity.value_or(0);
  for (const MemoryBarRow& row : data_.rows) most = std::max({most, row.total(), row.measured.value_or(0)});
  return most > 0 ? (width() - labelWidth - rightSpace) / (1.04 * static_cast<double>(most)) : 0;
}

QRectF MemoryBar::barRect(int row) const {
  return {labelWidth, top + row * rowHeight, width() - labelWidth - rightSpace, barHeight};
}

QRectF MemoryBar::segmentRect(int row, int memoryClass) const {
  const auto& bytes = data_.rows[static_cast<std::size_t>(row)].bytes;
  auto before = std::accumulate(bytes.begin(), bytes.begin() + memoryClass, std::int64_t{0});
  auto own = bytes[static_cast<std::size_t>(memoryClass)];
  if (own <= 0) return {};
  QRectF bar = barRect(row);
  return {bar.left() + static_cast<double>(before) * scale(), bar.top(),
          std::max(1.0, static_cast<double>(own) * scale()), bar.height()};
}

std::pair<int, int> MemoryBar::segmentAt(QPointF at) const {
  for (int row = 0; row < static_cast<int>(data_.rows.size()); ++row)
    for (int c = 0; c < classes; ++c)
      if (segmentRect(row, c).contains(at)) return {row, c};
  return {-1, -1};
}

QString MemoryBar::describe(int row, int memoryClass) const {
  const MemoryBarRow& r = data_.rows[static_cast<std::size_t>(row)];
  auto bytes = r.bytes[static_cast<std::size_t>(memoryClass)];
  double share = r.total() > 0 ? 100.0 * static_cast<double>(bytes) / static_cast<double>(r.total()) : 0;
  return tr("%1: %2, %3 % of %4")
      .arg(memoryClassName(memoryClass), bytesText(bytes))
      .arg(share, 0, 'f', 1)
      .arg(bytesText(r.total()));
}

void MemoryBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  if (data_.rows.empty()) {
    painter.setPen(theme().muted);
    painter.drawText(rect(), Qt::AlignCenter, tr("No estimate yet"));
    return;
  }
  if (data_.stale) painter.setOpacity(0.5);
  for (int row = 0; row < static_cast<int>(data_.rows.size()); ++row) paintRow(painter, row);
  paintCapacity(painter);
  paintLegend(painter);
}

void MemoryBar::paintRow(QPainter& painter, int row) const {
  const Theme& t = theme();
  const MemoryBarRow& data = data_.rows[static_cast<std::size_t>(row)];
  QRectF bar = barRect(row);
  painter.setFont(font());
  painter.setPen(t.text);
  painter.drawText(QRectF(4, bar.top(), labelWidth - 10, bar.height()), Qt::AlignVCenter | Qt::AlignLeft,
                   painter.fontMetrics().elidedText(data.label, Qt::ElideRight, static_cast<int>(labelWidth) - 10));
  painter.fillRect(bar, t.sunken);
  for (int c = 0; c < classes; ++c) {
    QRectF segment = segmentRect(row, c);
    if (segment.isEmpty()) continue;
    QColor tone = t.memoryTone(c);
    QRectF inside = segment.width() > 3 ? segment.adjusted(0, 0, -1, 0) : segment;  // a gap of a pixel between classes
    fillHatched(painter, inside, tone, memoryHatch(c, mix(tone, textOn(tone), 0.35)));
    painter.setPen(cosmetic(t.strong, 0.6));
    painter.setBrush(Qt::NoBrush);
    if (c >= 4) painter.drawRect(inside.adjusted(0.5, 0.5, -0.5, -0.5));
    QString text = bytesText(data.bytes[static_cast<std::size_t>(c)]);
    if (inside.width() >= std::max(48.0, painter.fontMetrics().horizontalAdvance(text) + 10.0)) {
      if (memoryHatch(c, tone).style() != Qt::NoBrush) {
        double w = painter.fontMetrics().horizontalAdvance(text) + 8;
        painter.fillRect(QRectF(inside.center().x() - w / 2, inside.top() + 3, w, inside.height() - 6), tone);
      }
      painter.setPen(textOn(tone));
      painter.drawText(inside, Qt::AlignCenter, text);
    }
    if (hasFocus() && row == row_ && c == class_) paintFocusRing(painter, segment.adjusted(-2, -2, 2, 2), 3);
  }
  paintOverLimit(painter, row);
  if (data.measured) {
    double x = bar.left() + static_cast<double>(*data.measured) * scale();
    painter.setPen(cosmetic(t.text, 2));
    painter.drawLine(QPointF(x, bar.top() - 3), QPointF(x, bar.bottom() + 3));
  }
  painter.setFont(sized(font(), leastTextPixels));
  painter.setPen(t.muted);
  QString note = data.note;
  if (data.measured && data.total() > 0) {
    double off =
        100.0 *
        (static_cast<double>(data.total()) / static_cast<double>(std::max<std::int64_t>(1, *data.measured)) - 1);
    note = tr("measured %1 (estimate %2%3 %)")
               .arg(bytesText(*data.measured), off >= 0 ? QStringLiteral("+") : QString())
               .arg(off, 0, 'f', 1) +
           (note.isEmpty() ? QString() : QStringLiteral(" \u00B7 ") + note);
  }
  QRectF tag = overTag(row), place(bar.left(), bar.bottom() + 2, width() - bar.left() - 4, rowHeight - barHeight - 4);
  if (!tag.isEmpty()) place.setRight(std::max(place.left(), tag.left() - 6));
  painter.drawText(
      place, Qt::AlignTop | Qt::AlignLeft,
      painter.fontMetrics().elidedText(note, Qt::ElideRight, std::max(0, static_cast<int>(place.width()) - 2)));
}

QFont MemoryBar::boldFont() const {
  return sized(font(), QFontInfo(font()).pixelSize(), true);
}

std::int64_t MemoryBar::overBytes(int row) const {
  return data_.capacity ? data_.rows[static_cast<std::size_t>(row)].total() - *data_.capacity : 0;
}

QString MemoryBar::overText(int row) const {
  return tr("over by %1").arg(bytesText(overBytes(row)));
}

QRectF MemoryBar::overTag(int row) const {
  if (overBytes(row) <= 0) return {};
  QRectF bar = barRect(row);
  double end = bar.left() + static_cast<double>(data_.rows[static_cast<std::size_t>(row)].total()) * scale();
  double w = QFontMetricsF(boldFont()).horizontalAdvance(overText(row)) + 12;
  return {std::min<double>(width() - 4, end) - w, bar.bottom() + 3, w, 18};
}

void MemoryBar::paintOverLimit(QPainter& painter, int row) const {
  const Theme& t = theme();
  const MemoryBarRow& data = data_.rows[static_cast<std::size_t>(row)];
  QRectF bar = barRect(row);
  QRectF right(bar.left() + static_cast<double>(data.total()) * scale() + 8, bar.top(), 240, bar.height());
  std::int64_t over = overBytes(row);
  painter.setFont(boldFont());
  double textWidth = painter.fontMetrics().horizontalAdvance(bytesText(data.total())) + 8;
  if (right.left() + textWidth > width()) right.moveLeft(width() - textWidth);
  painter.setPen(over > 0 ? t.error : t.text);
  painter.drawText(right, Qt::AlignVCenter | Qt::AlignLeft, bytesText(data.total()));
  if (over <= 0) return;
  double limit = bar.left() + static_cast<double>(*data_.capacity) * scale();
  QRectF beyond(limit, bar.top(), static_cast<double>(over) * scale(), bar.height());
  painter.fillRect(beyond, QBrush(t.error, Qt::BDiagPattern));
  painter.setPen(cosmetic(t.error, 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(QRectF(bar.left(), bar.top(), static_cast<double>(data.total()) * scale(), bar.height()));
  QRectF tag = overTag(row);
  painter.setPen(Qt::NoPen);
  painter.setBrush(t.error);
  painter.drawRoundedRect(tag, 3, 3);
  painter.setPen(textOn(t.error));
  painter.drawText(tag, Qt::AlignCenter, overText(row));
}

void MemoryBar::paintCapacity(QPainter& painter) const {
  if (!data_.capacity) return;
  const Theme& t = theme();
  double x = labelWidth + static_cast<double>(*data_.capacity) * scale();
  double bottom = top + rowHeight * static_cast<double>(data_.rows.size()) - (rowHeight - barHeight) + 6;
  painter.setPen(cosmetic(t.text, 1.5, Qt::DashLine));
  painter.drawLine(QPointF(x, top - 6), QPointF(x, bottom));
  painter.setFont(sized(font(), leastTextPixels));
  painter.setPen(t.muted);
  QString text = tr("capacity %1").arg(bytesText(*data_.capacity));
  double w = painter.fontMetrics().horizontalAdvance(text);
  painter.drawText(QPointF(std::min(x - w / 2, width() - w - 4.0), top - 9), text);
}

void MemoryBar::paintLegend(QPainter& painter) const {
  const Theme& t = theme();
  painter.setFont(sized(font(), leastTextPixels));
  double y = top + rowHeight * static_cast<double>(data_.rows.size());
  double x = labelWidth;
  for (int c = 0; c < classes; ++c) {
    bool any = std::any_of(data_.rows.begin(), data_.rows.end(),
                           [&](const auto& row) { return row.bytes[static_cast<std::size_t>(c)] > 0; });
    QString name = memoryClassName(c);
    double w = painter.fontMetrics().horizontalAdvance(name);
    if (!any || x + w + 16 > width()) continue;
    QRectF swatch(x, y + 5, 11, 11);
    QColor tone = t.memoryTone(c);
    fillHatched(painter, swatch, tone, memoryHatch(c, mix(tone, textOn(tone), 0.35)));
    painter.setPen(cosmetic(t.strong, 0.6));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(swatch);
    painter.setPen(t.muted);
    painter.drawText(QPointF(x + 16, y + 15), name);
    x += w + 32;
  }
}

void MemoryBar::choose(int row, int memoryClass) {
  row_ = row;
  class_ = memoryClass;
  setAccessibleDescription(describe(row, memoryClass));
  update();
}

void MemoryBar::mousePressEvent(QMouseEvent* event) {
  auto [row, memoryClass] = segmentAt(event->position());
  if (row < 0) return;
  choose(row, memoryClass);
  emit segmentActivated(row, memoryClass);
}

void MemoryBar::keyPressEvent(QKeyEvent* event) {
  int rows = static_cast<int>(data_.rows.size());
  if (rows == 0) return QWidget::keyPressEvent(event);
  switch (event->key()) {
    case Qt::Key_Left:
      return choose(row_, std::max(0, class_ - 1));
    case Qt::Key_Right:
      return choose(row_, std::min(classes - 1, class_ + 1));
    case Qt::Key_Up:
      return choose(std::max(0, row_ - 1), class_);
    case Qt::Key_Down:
      return choose(std::min(rows - 1, row_ + 1), class_);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      emit segmentActivated(row_, class_);
      return;
    default:
      QWidget::keyPressEvent(event);
  }
}

bool MemoryBar::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    auto* help = static_cast<QHelpEvent*>(event);
    auto [row, memoryClass] = segmentAt(help->pos());
    if (row >= 0)
      QToolTip::showText(help->globalPos(), describe(row, memoryClass), this);
    else
      QToolTip::hideText();
    return true;
  }
  return QWidget::event(event);
}

}  // namespace ui
