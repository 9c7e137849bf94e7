#include "ui/models/shortage_rows.h"

#include <QCoreApplication>
#include <QStringList>
#include <cmath>

#include "ui/widgets/memory_bar.h"
#include "ui/widgets/number_text.h"

namespace ui {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("Shortage", text);
}

QString nameOf(const core::Relief& relief) {
  QString dimension = QString::fromStdString(relief.dimension), axis = QString::fromStdString(relief.axis);
  switch (relief.kind) {
    case core::Relief::Kind::split:
      return splitDimension(dimension, axis).name;
    case core::Relief::Kind::splitNew:
      return tr("Split %1 over %2 devices").arg(dimension).arg(relief.size);
    case core::Relief::Kind::enlarge:
      return tr("Double axis %1 to %2").arg(axis).arg(relief.size);
    case core::Relief::Kind::precision:
      break;
  }
  return tr("Compute in bf16");
}

}  // namespace

NamedEdit editOf(const core::Relief& relief) {
  return {nameOf(relief), [relief](core::Plan plan) { return core::relieve(std::move(plan), relief); }};
}

QString shortageText(const core::Analysis& analysis) {
  if (!analysis.cost || !analysis.cost->memoryLimit) return {};
  std::int64_t needed = analysis.cost->arenaBytes, limit = *analysis.cost->memoryLimit;
  if (needed <= limit) return {};
  return tr("✕ Does not fit: needs %1 of %2").arg(bytesText(needed), bytesText(limit));
}

QString causeText(const core::PeakCause& cause, std::int64_t peakBytes) {
  QString name = QString::fromStdString(cause.name);
  if (cause.buffers > 1) name += QStringLiteral(" ×%1").arg(cause.buffers);
  int percent =
      static_cast<int>(std::lround(100.0 * double(cause.bytes) / double(std::max<std::int64_t>(peakBytes, 1))));
  return tr("%1  %2, %3 % (%4)")
      .arg(bytesText(cause.bytes), name)
      .arg(percent)
      .arg(memoryClassName(static_cast<int>(cause.memoryClass)).toLower());
}

QString offerText(const ReliefOffer& offer) {
  const Figures &before = offer.effect.before, &after = offer.effect.after;
  QStringList parts{tr("peak %1 → %2").arg(bytesText(before.peakBytes), bytesText(after.peakBytes)),
                    offer.reached.fits ? tr("✓ fits") : tr("✕ still too much")};
  if (before.stepSeconds && after.stepSeconds)
    parts << tr("step %1 → %2").arg(secondsText(*before.stepSeconds), secondsText(*after.stepSeconds));
  return parts.join(QStringLiteral(" · "));
}

}  // namespace ui
