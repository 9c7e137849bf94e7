#include <QLocale>
#include <QPainter>

#include "ui/theme/theme.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/paint_tools.h"

namespace ui {

namespace {

constexpr double tagHeight = 18, dimensionPad = 9;

QString sizeText(qint64 size) {
  return size > 0 ? QLocale().toString(size) : QStringLiteral("?");
}

}  // namespace

DimensionChip::DimensionChip(QWidget* parent) : Chip(parent) {
  setObjectName(QStringLiteral("dimensionChip"));
}

void DimensionChip::setData(DimensionChipData data, const QStringList& meshAxes) {
  data_ = std::move(data);
  meshAxes_ = meshAxes;
  QStringList over;
  for (const AxisTag& axis : data_.axes) over += axis.name;
  QString split = over.isEmpty() ? tr("whole") : tr("split over %1").arg(over.join(tr(" then ")));
  setAccessibleName(tr("Dimension %1, size %2, %3").arg(data_.name, sizeText(data_.size), split));
  setToolTip(data_.refusal.isEmpty()
                 ? (data_.tensors > 0 ? tr("%n tensor(s) carry it", nullptr, data_.tensors) : QString())
                 : data_.refusal);
  updateGeometry();
  update();
}

QSize DimensionChip::sizeHint() const {
  QFont bold = font();
  bold.setBold(true);
  double width = 2 * dimensionPad + QFontMetricsF(bold).horizontalAdvance(data_.name) + 6 +
                 fontMetrics().horizontalAdvance(sizeText(data_.size));
  for (const AxisTag& axis : data_.axes) width += axisTagWidth(QFontMetricsF(font()), axis, false) + 4;
  if (data_.tensors > 0) width += 10 + fontMetrics().horizontalAdvance(QStringLiteral("\u00B7 %1").arg(data_.tensors));
  if (data_.padding > 0) width += 8 + fontMetrics().horizontalAdvance(QStringLiteral("+%1").arg(data_.padding));
  if (data_.source == ChipSource::pinned || data_.source == ChipSource::search) width += 14;
  return {qRound(width + 2), chipHeight};
}

void DimensionChip::paintChip(QPainter& painter) const {
  const Theme& t = theme();
  painter.setRenderHint(QPainter::Antialiasing);
  QRectF box = QRectF(rect()).adjusted(1, 1, -1, -1);
  bool refused = !data_.refusal.isEmpty();
  QColor hue = data_.axes.empty() ? t.strong : t.axis(data_.axes.front().index);
  bool solid = data_.source == ChipSource::pinned || data_.source == ChipSource::rule;
  QColor fill = data_.axes.empty() ? t.surface : mix(t.surface, hue, solid ? 0.14 : 0.0);
  if (hovered_) fill = mix(fill, t.raised, 0.7);
  if (lit_ && !refused) fill = mix(t.surface, t.accent, 0.16);
  painter.setBrush(fill);
  QColor edge = targeted_            ? (refused ? t.error : t.accent)
                : lit_ && !refused   ? t.accent
                : data_.axes.empty() ? t.border
                                     : hue;
  painter.setPen(cosmetic(
      edge, targeted_ ? 2 : 1.2,
      data_.source == ChipSource::search || data_.source == ChipSource::inferred ? Qt::DashLine : Qt::SolidLine));
  painter.drawRoundedRect(box, 6, 6);
  if (refused && lit_) painter.setOpacity(0.45);

  double x = box.left() + dimensionPad;
  auto write = [&](const QString& text, const QColor& colour, bool bold, double gap) {
    painter.setFont(sized(font(), QFontInfo(font()).pixelSize(), bold));
    painter.setPen(colour);
    double width = QFontMetricsF(painter.font()).horizontalAdvance(text);
    painter.drawText(QRectF(x, box.top(), width + 2, box.height()), Qt::AlignVCenter | Qt::AlignLeft, text);
    x += width + gap;
  };
  write(data_.name, t.text, true, 6);
  write(sizeText(data_.size), t.muted, false, 6);
  painter.setFont(font());
  for (const AxisTag& axis : data_.axes) {
    double width = axisTagWidth(QFontMetricsF(painter.font()), axis, false);
    paintAxisTag(painter, QRectF(x, box.center().y() - tagHeight / 2, width, tagHeight), axis, meshAxes_, false);
    x += width + 4;
  }
  if (data_.padding > 0) write(QStringLiteral("+%1").arg(data_.padding), t.warning, true, 8);
  if (data_.tensors > 0) write(QStringLiteral("\u00B7 %1").arg(data_.tensors), t.muted, false, 6);
  paintSource(painter, {x + 5, box.center().y()}, data_.source, t.text);
}

}  // namespace ui
