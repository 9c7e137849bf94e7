#include "ui/models/estimate_rows.h"

#include <QCoreApplication>
#include <algorithm>

#include "ui/models/mesh_tags.h"
#include "ui/models/shortage_rows.h"
#include "ui/session/session.h"
#include "ui/theme/theme.h"
#include "ui/widgets/number_text.h"

namespace ui {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("Estimate", text);
}
QString tagged(const QString& colour, const QString& text) {
  return QStringLiteral("<span style='color:%1'>%2</span>").arg(colour, text);
}

bool fitsEasily(const core::Cost& cost) {
  constexpr std::int64_t many = 20;
  return cost.memoryLimit && !cost.devices.empty() && cost.devices.front().peak.total() * many < *cost.memoryLimit;
}

QString figure(const QString& name, const QString& value) {
  return QStringLiteral("%1&nbsp;<b>%2</b>").arg(tagged(theme().muted.name(), name), value);
}

}  // namespace

QString stepText(const core::Step& step) {
  QStringList parts;
  parts << (step.training ? tr("training") : tr("inference"));
  if (step.training)
    parts << (step.optimizer.kind == core::OptimizerKind::adam       ? tr("Adam")
              : step.optimizer.kind == core::OptimizerKind::momentum ? tr("momentum")
                                                                     : tr("SGD"));
  parts << (step.precision == core::Precision::f32 ? QStringLiteral("f32") : QStringLiteral("bf16"));
  if (step.microbatches > 1) parts << tr("%1 micro-batches").arg(step.microbatches);
  return parts.join(QStringLiteral(", "));
}

QString sourceText(const Session& session) {
  if (!session.isOpen()) return tr("No plan is open.");
  if (session.stale()) return tagged(theme().warning.name(), tr("Stale — estimating anew …"));
  if (!figuresOf(session.analysis()).legal())
    return tagged(theme().error.name(), tr("✕ No estimate: the layout is not legal, see Problems."));
  if (!session.analysis().cost) return tr("No estimate.");
  QString shortage = shortageText(session.analysis()).toHtmlEscaped();
  return QStringLiteral("<b>%1</b> · %2")
             .arg(tr("Estimated"), tr("current, found in %1").arg(secondsText(session.analysisSeconds()))) +
         (shortage.isEmpty() ? QString() : QStringLiteral(" · <b>%1</b>").arg(tagged(theme().error.name(), shortage)));
}

MemoryBarRow memoryRow(const core::DeviceCost& device, const QString& label) {
  MemoryBarRow row{.label = label};
  row.bytes = device.peak.bytes;
  return row;
}

MemoryBarData memoryBars(const core::Analysis& analysis, bool stale, std::optional<std::int64_t> measured) {
  MemoryBarData data{.stale = stale};
  if (!analysis.cost) return data;
  // Beside a capacity many times larger nothing of the bars could be seen: then words say that it fits.
  if (!fitsEasily(*analysis.cost)) data.capacity = analysis.cost->memoryLimit;
  constexpr std::size_t mostRows = 6;
  for (std::size_t i = 0; i < std::min(mostRows, analysis.cost->devices.size()); ++i) {
    const core::DeviceCost& device = analysis.cost->devices[i];
    MemoryBarRow row = memoryRow(device, tr("%1×").arg(device.devices));
    if (i == 0) row.measured = measured;
    if (i == 0 && !device.peakInstruction.empty())
      row.note = tr("peak at %1").arg(QString::fromStdString(device.peakInstruction));
    data.rows.push_back(row);
  }
  return data;
}

QString assumptionsText(const core::Analysis& analysis) {
  if (!analysis.plan || !analysis.cost) return {};
  const core::Variant& variant = analysis.plan->variants[analysis.variant];
  QString text = tagged(theme().muted.name(), tr("Assumes ")) + stepText(variant.step).toHtmlEscaped();
  if (analysis.machine) text += QStringLiteral(" · ") + QString::fromStdString(analysis.machine->name).toHtmlEscaped();
  if (fitsEasily(*analysis.cost))
    text += QStringLiteral(" · ") + tagged(theme().good.name(), tr("✓ fits")) + QStringLiteral(" ") +
            tr("in %1").arg(bytesText(*analysis.cost->memoryLimit));
  if (analysis.cost->paddingBytes > 0)
    text +=
        QStringLiteral(" · ") + tr("padding wastes %1 on the first device").arg(bytesText(analysis.cost->paddingBytes));
  return text;
}

QString costSummary(const core::Analysis& analysis) {
  if (!analysis.cost || analysis.cost->devices.empty()) return {};
  const core::DeviceCost& device = analysis.cost->devices.front();
  QStringList parts;
  if (!device.stepSeconds)
    return figure(tr("work"), flopsText(double(device.flops))) + QStringLiteral(" &nbsp; ") +
           figure(tr("sent"), bytesText(device.wireBytes)) + QStringLiteral(" &nbsp; ") +
           tagged(theme().muted.name(), tr("seconds need a machine: <a href='machine'>choose one</a>"));
  auto seconds = [](std::optional<double> value) { return value ? secondsText(*value) : tr("bytes only"); };
  parts << figure(tr("Step"), seconds(device.stepSeconds)) << figure(tr("compute"), seconds(device.computeSeconds))
        << figure(tr("communication"), seconds(device.communicationSeconds));
  parts << figure(tr("work"), flopsText(double(device.flops))) << figure(tr("sent"), bytesText(device.wireBytes));
  return parts.join(QStringLiteral(" &nbsp; "));
}

std::vector<QStringList> trafficRows(const core::Analysis& analysis) {
  std::vector<QStringList> rows;
  if (!analysis.cost || analysis.cost->devices.empty() || !analysis.program) return rows;
  for (const core::AxisTraffic& traffic : analysis.cost->devices.front().traffic) {
    std::string_view kind = core::toString(traffic.kind);
    rows.push_back({axesText(analysis.program->mesh, traffic.axes),
                    QString::fromUtf8(kind.data(), static_cast<qsizetype>(kind.size())),
                    countText(double(traffic.calls)), bytesText(traffic.payloadBytes), bytesText(traffic.wireBytes),
                    traffic.seconds ? secondsText(*traffic.seconds) : tr("bytes only")});
  }
  return rows;
}

QStringList largestTensors(const core::Analysis& analysis, core::MemoryClass memoryClass, std::size_t count) {
  if (!analysis.program || !analysis.step) return {};
  std::vector<const core::Buffer*> buffers;
  for (const core::Buffer& buffer : analysis.program->buffers)
    if (buffer.memoryClass == memoryClass && buffer.tensor.valid() &&
        buffer.tensor.index() < analysis.step->tensors.size())
      buffers.push_back(&buffer);
  std::stable_sort(buffers.begin(), buffers.end(),
                   [](const core::Buffer* a, const core::Buffer* b) { return a->bytes > b->bytes; });
  QStringList names;
  for (std::size_t i = 0; i < std::min(count, buffers.size()); ++i)
    names << QString::fromStdString((*analysis.step)[buffers[i]->tensor].name);
  return names;
}

std::optional<std::int64_t> measuredPeak(Session& session) {
  const RunWatch& run = session.run();
  if (!session.isOpen() || !run.plan() || !run.comparison()) return {};
  const core::Variant &shown = session.document().plan().variant(), &ran = run.plan()->variant();
  if (ran.mesh != shown.mesh || ran.layout != shown.layout || ran.step.training != shown.step.training) return {};
  std::optional<std::int64_t> highest;
  for (const core::ComparedRank& rank : run.comparison()->comparison.ranks)
    if (rank.countedPeak) highest = std::max(highest.value_or(0), rank.countedPeak->total());
  return highest;
}

}  // namespace ui
