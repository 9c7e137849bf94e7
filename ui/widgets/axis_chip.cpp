#include <QPainter>
#include <QPainterPath>

#include "ui/theme/hatch.h"
#include "ui/theme/theme.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/paint_tools.h"

namespace ui {

namespace {

constexpr double tileWidth = 24, axisPad = 8;

QString held(const QStringList& dimensions) {
  return dimensions.join(QStringLiteral(", "));
}

}  // namespace

AxisChip::AxisChip(QWidget* parent) : Chip(parent) {
  setObjectName(QStringLiteral("axisChip"));
}

void AxisChip::setData(AxisChipData data, const QStringList& meshAxes) {
  data_ = std::move(data);
  meshAxes_ = meshAxes;
  QString splits = data_.dimensions.isEmpty() ? tr("splits nothing") : tr("splits %1").arg(held(data_.dimensions));
  setAccessibleName(tr("Mesh axis %1, %2 devices, %3").arg(data_.axis.name).arg(data_.axis.size).arg(splits));
  setToolTip(data_.refusal);
  updateGeometry();
  update();
}

QSize AxisChip::sizeHint() const {
  QFont bold = font();
  bold.setBold(true);
  double width = tileWidth + 2 * axisPad + QFontMetricsF(bold).horizontalAdvance(data_.axis.name) + 6 +
                 fontMetrics().horizontalAdvance(QString::number(data_.axis.size));
  if (!data_.dimensions.isEmpty()) width += 14 + fontMetrics().horizontalAdvance(held(data_.dimensions));
  return {qRound(width + 2), chipHeight};
}

void AxisChip::paintChip(QPainter& painter) const {
  const Theme& t = theme();
  painter.setRenderHint(QPainter::Antialiasing);
  QRectF box = QRectF(rect()).adjusted(1, 1, -1, -1);
  bool refused = !data_.refusal.isEmpty();
  QColor hue = t.axis(data_.axis.index);
  QColor fill = mix(t.surface, hue, data_.dimensions.isEmpty() ? 0.05 : 0.12);
  if (hovered_) fill = mix(fill, hue, 0.08);
  if (lit_ && !refused) fill = mix(t.surface, t.accent, 0.16);
  QPainterPath outline;
  outline.addRoundedRect(box, 6, 6);
  painter.fillPath(outline, fill);
  painter.save();
  painter.setClipPath(outline);
  QRectF left(box.left(), box.top(), tileWidth, box.height());
  painter.fillRect(left, hue);
  painter.fillRect(QRectF(left.left(), left.bottom() - 6, tileWidth, 6),
                   axisHatch(data_.axis.index, mix(hue, textOn(hue), 0.75)));
  painter.setFont(sized(font(), QFontInfo(font()).pixelSize() + 1, true));
  painter.setPen(textOn(hue));
  painter.drawText(left.adjusted(0, -2, 0, -4), Qt::AlignCenter, axisLetter(meshAxes_, data_.axis.index));
  painter.restore();
  QColor edge = targeted_ ? (refused ? t.error : t.accent) : lit_ && !refused ? t.accent : hue;
  painter.setPen(cosmetic(edge, targeted_ ? 2 : 1.2));
  painter.drawPath(outline);
  if (refused && lit_) painter.setOpacity(0.45);

  double x = box.left() + tileWidth + axisPad;
  auto write = [&](const QString& text, const QColor& colour, bool bold, double gap) {
    painter.setFont(sized(font(), QFontInfo(font()).pixelSize(), bold));
    painter.setPen(colour);
    double width = QFontMetricsF(painter.font()).horizontalAdvance(text);
    painter.drawText(QRectF(x, box.top(), width + 2, box.height()), Qt::AlignVCenter | Qt::AlignLeft, text);
    x += width + gap;
  };
  write(data_.axis.name, t.text, true, 6);
  write(QString::number(data_.axis.size), t.muted, false, 12);
  if (!data_.dimensions.isEmpty()) write(held(data_.dimensions), t.text, false, 0);
}

}  // namespace ui
