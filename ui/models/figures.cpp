#include "ui/models/figures.h"

#include <QCoreApplication>
#include <QStringList>
#include <cmath>
#include <unordered_map>

#include "ui/widgets/number_text.h"

namespace ui {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("Figures", text);
}

FigureLine line(const QString& name, double before, double after, const QString& beforeText, const QString& afterText,
                const QString& delta) {
  FigureLine found{name, beforeText, afterText, {}, Judgement::same, before, after};
  if (before == after) return found;
  found.delta = delta;
  found.judgement = after < before ? Judgement::better : Judgement::worse;
  return found;
}

FigureLine bytesLine(const QString& name, std::int64_t before, std::int64_t after) {
  return line(name, double(before), double(after), bytesText(before), bytesText(after),
              signedBytesText(after - before));
}

QString signedText(double value, const QString& magnitude) {
  return (value < 0 ? QStringLiteral("−") : QStringLiteral("+")) + magnitude;
}

FigureLine countLine(const QString& name, std::int64_t before, std::int64_t after) {
  return line(name, double(before), double(after), countText(double(before)), countText(double(after)),
              signedText(double(after - before), countText(std::abs(double(after - before)))));
}

// A figure that is missing on one side is said to be missing, never taken for 0.
FigureLine secondsLine(const QString& name, std::optional<double> before, std::optional<double> after) {
  QString none = tr("bytes only");
  if (!before || !after)
    return {name,
            before ? secondsText(*before) : none,
            after ? secondsText(*after) : none,
            {},
            Judgement::same,
            before.value_or(0),
            after.value_or(0)};
  return line(name, *before, *after, secondsText(*before), secondsText(*after),
              signedText(*after - *before, secondsText(std::abs(*after - *before))));
}

int differing(const core::Analysis& before, const core::Analysis& after) {
  if (!before.step || !after.step) return 0;
  std::unordered_map<std::string_view, const core::Sharding*> old;
  for (std::size_t i = 0; i < before.layouts.size(); ++i)
    old.emplace(before.step->tensors[i].name, &before.layouts.sharding(i));
  int count = 0;
  for (std::size_t i = 0; i < after.layouts.size(); ++i) {
    auto found = old.find(after.step->tensors[i].name);
    if (found != old.end() && *found->second != after.layouts.sharding(i)) ++count;
  }
  return count;
}

}  // namespace

Figures figuresOf(const core::Analysis& analysis) {
  Figures figures;
  for (const core::Diagnostic& one : analysis.diagnostics)
    if (one.severity == core::Diagnostic::Severity::error) figures.errors.push_back(one);
  if (!analysis.cost || analysis.cost->devices.empty()) return figures;
  const core::DeviceCost& worst = analysis.cost->devices.front();
  figures.memory = worst.peak.bytes;
  for (std::int64_t bytes : figures.memory) figures.peakBytes += bytes;
  figures.memoryLimit = analysis.cost->memoryLimit;
  for (const core::AxisTraffic& traffic : worst.traffic) figures.collectives += traffic.calls;
  figures.wireBytes = worst.wireBytes;
  figures.flops = worst.flops;
  figures.paddingBytes = analysis.cost->paddingBytes;
  figures.computeSeconds = worst.computeSeconds;
  figures.communicationSeconds = worst.communicationSeconds;
  figures.stepSeconds = worst.stepSeconds;
  return figures;
}

std::vector<FigureLine> compareFigures(const Figures& before, const Figures& after) {
  std::vector<FigureLine> lines{bytesLine(tr("Peak memory"), before.peakBytes, after.peakBytes)};
  if (before.memoryLimit && after.memoryLimit) {
    std::int64_t was = *before.memoryLimit - before.peakBytes, is = *after.memoryLimit - after.peakBytes;
    FigureLine headroom = bytesLine(tr("Headroom"), was, is);
    if (was != is) headroom.judgement = is > was ? Judgement::better : Judgement::worse;
    lines.push_back(headroom);
  }
  lines.push_back(secondsLine(tr("Step time"), before.stepSeconds, after.stepSeconds));
  lines.push_back(secondsLine(tr("Compute"), before.computeSeconds, after.computeSeconds));
  lines.push_back(secondsLine(tr("Communication"), before.communicationSeconds, after.communicationSeconds));
  lines.push_back(bytesLine(tr("Sent per device"), before.wireBytes, after.wireBytes));
  lines.push_back(countLine(tr("Collectives"), before.collectives, after.collectives));
  lines.push_back(bytesLine(tr("Padding"), before.paddingBytes, after.paddingBytes));
  return lines;
}

QString judgementText(Judgement judgement) {
  switch (judgement) {
    case Judgement::better:
      return tr("better");
    case Judgement::worse:
      return tr("worse");
    case Judgement::same:
      break;
  }
  return {};
}

QString arrowText(const FigureLine& line) {
  if (line.judgement == Judgement::same) return {};
  return line.afterValue < line.beforeValue ? QStringLiteral("▼") : QStringLiteral("▲");
}

Effect effectOf(const core::Analysis& before, const core::Analysis& after) {
  return {figuresOf(before), figuresOf(after), differing(before, after)};
}

QString refusalText(const Figures& figures) {
  if (figures.legal()) return {};
  const core::Diagnostic& first = figures.errors.front();
  QString text = QString::fromStdString(first.what);
  if (!first.right.empty()) text += QStringLiteral(" — ") + QString::fromStdString(first.right);
  return text;
}

QString summaryText(const Effect& effect) {
  if (!effect.after.legal()) return refusalText(effect.after);
  QStringList parts;
  for (const FigureLine& line : compareFigures(effect.before, effect.after))
    if (line.judgement != Judgement::same && (line.name == tr("Peak memory") || line.name == tr("Step time") ||
                                              line.name == tr("Collectives") || line.name == tr("Sent per device")))
      parts << QStringLiteral("%1 %2").arg(line.name.toLower(), line.delta);
  if (effect.tensorsFollowing > 0) parts << tr("%1 tensors follow").arg(effect.tensorsFollowing);
  return parts.isEmpty() ? tr("nothing changes") : parts.join(QStringLiteral(", "));
}

}  // namespace ui
