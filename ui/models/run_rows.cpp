#include "ui/models/run_rows.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <algorithm>
#include <cmath>

#include "core/mesh/mesh.h"
#include "ui/models/figures.h"
#include "ui/theme/theme.h"
#include "ui/widgets/number_text.h"

namespace ui {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("RunRows", text); }

QString colourOf(RunWatch::State state) {
  switch (state) {
    case RunWatch::State::done: return theme().good.name();
    case RunWatch::State::failed: return theme().error.name();
    case RunWatch::State::lost: return theme().warning.name();
    case RunWatch::State::preparing:
    case RunWatch::State::running: return theme().information.name();
    default: return theme().muted.name();
  }
}

RankState rankStateOf(const RunWatch& run, std::int64_t rank) {
  switch (run.state()) {
    case RunWatch::State::none: return RankState::waiting;
    case RunWatch::State::preparing: return RankState::starting;
    case RunWatch::State::running: return run.steps().empty() ? RankState::starting : RankState::running;
    case RunWatch::State::done:
    case RunWatch::State::stopped: return RankState::done;
    case RunWatch::State::lost: return RankState::lost;
    case RunWatch::State::failed: break;
  }
  bool isCulprit = run.finished() && run.finished()->rank && *run.finished()->rank == rank;
  return isCulprit || !run.finished() || !run.finished()->rank ? RankState::failed : RankState::done;
}

// Seconds of a step in the middle of the run: the first steps also warm caches.
double medianStep(const std::vector<core::StepEvent>& steps) {
  std::vector<double> seconds;
  for (const core::StepEvent& step : steps) seconds.push_back(step.seconds);
  if (seconds.empty()) return 0;
  std::nth_element(seconds.begin(), seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2), seconds.end());
  return seconds[seconds.size() / 2];
}

std::int64_t highestMemory(const core::Trace& trace) {
  std::int64_t highest = 0;
  for (const core::MemoryCount& count : trace.memory) {
    std::int64_t total = 0;
    for (std::int64_t bytes : count.bytes) total += bytes;
    highest = std::max(highest, total);
  }
  return highest;
}

// What rank 0 counted in one step.
struct Counted {
  std::int64_t flops = 0, bytesIn = 0;
};

Counted countedInStep(const core::Trace& trace, std::int64_t step) {
  Counted counted;
  for (const core::Span& span : trace.spans) {
    if (span.rank != 0 || span.step != step) continue;
    counted.flops += span.flops;
    counted.bytesIn += span.bytesIn;
  }
  return counted;
}

QString row(const QString& name, const QString& predicted, const QString& measured, const QString& verdict) {
  return QStringLiteral("<tr><td style='color:%1;padding-right:10px'>%2</td><td align='right' style='padding-right:10px'>%3</td><td align='right' style='padding-right:10px'>%4</td><td>%5</td></tr>")
      .arg(theme().muted.name(), name, predicted, measured, verdict);
}

QString verdictOf(double predicted, double measured) {
  if (predicted == measured) return QStringLiteral("<span style='color:%1'>= %2</span>").arg(theme().good.name(), tr("exact"));
  if (predicted <= 0) return {};
  return QStringLiteral("<span style='color:%1'>%2 %</span>").arg(theme().muted.name(), QString::number((measured / predicted - 1) * 100, 'f', 1));
}

}  // namespace

QString runStateLine(const RunWatch& run) {
  if (!run.isOpen()) return QStringLiteral("<span style='color:%1'>%2</span>").arg(theme().muted.name(), tr("No run is open. Run starts the current variant on this machine."));
  QStringList parts{QStringLiteral("<b style='color:%1'>%2</b>").arg(colourOf(run.state()), runStateText(run.state()))};
  parts << QFileInfo(QString::fromStdString(run.folder().path)).fileName().toHtmlEscaped();
  if (run.started()) parts << tr("%1 ranks on %2").arg(run.started()->ranks).arg(QString::fromStdString(run.started()->mesh).toHtmlEscaped());
  if (!run.steps().empty()) {
    const core::StepEvent& last = run.steps().back();
    std::int64_t end = run.started() ? run.started()->firstStep + run.started()->steps - 1 : last.step;
    parts << tr("step %1 of %2").arg(last.step).arg(end);
    if (last.loss) parts << tr("loss %1").arg(*last.loss, 0, 'g', 5);
    parts << tr("%1 a step").arg(secondsText(medianStep(run.steps())));
  }
  QString text = parts.join(QStringLiteral(" · "));
  if (!run.problem().isEmpty()) text += QStringLiteral("<br><span style='color:%1'>%2</span>").arg(theme().error.name(), run.problem().toHtmlEscaped());
  return text;
}

CurveData lossCurve(const RunWatch& run) {
  CurveSeries series{.name = tr("loss")};
  for (const core::StepEvent& step : run.steps())
    if (step.loss && std::isfinite(*step.loss)) series.points.emplace_back(double(step.step), *step.loss);
  return {.series = {series}, .xLabel = tr("step"), .yLabel = tr("loss")};
}

RankGridData rankGrid(const RunWatch& run) {
  RankGridData data;
  for (std::int64_t rank = 0; rank < run.ranks(); ++rank) {
    RankCell cell{rankStateOf(run, rank), {}, -1};
    cell.tip = tr("rank %1: %2").arg(rank).arg(rankStateText(cell.state));
    data.cells.push_back(cell);
  }
  if (!run.started()) return data;
  core::Mesh mesh = core::Mesh::of(run.started()->mesh);
  if (mesh.axes.empty()) return data;
  data.columns = static_cast<int>(mesh.axes.back().size);
  data.columnAxis = QString::fromStdString(mesh.axes.back().name);
  if (mesh.axes.size() > 1) data.rowAxis = QString::fromStdString(mesh.axes.front().name);
  return data;
}

QString outcomeText(const RunWatch& run, const core::Analysis& analysis) {
  if (run.steps().empty() || !run.info() || !run.plan() || !analysis.plan || !analysis.cost || analysis.cost->devices.empty()) return {};
  const core::Variant& shown = analysis.plan->variants[analysis.variant];
  const core::Variant& ran = run.plan()->variant();
  if (shown.mesh != ran.mesh || shown.layout != ran.layout || shown.step != ran.step) return tr("The run is of another layout than the one that is shown.");
  const core::DeviceCost* first = nullptr;  // the class of rank 0, whose coordinate is all zeros
  for (const core::DeviceCost& device : analysis.cost->devices)
    if (std::all_of(device.coordinate.begin(), device.coordinate.end(), [](std::int64_t at) { return at == 0; })) first = &device;
  if (!first) return {};
  Counted counted = countedInStep(run.trace(), run.steps().back().step);
  QString rows = row(QString(), QStringLiteral("<b>%1</b>").arg(tr("Predicted")), QStringLiteral("<b>%1</b>").arg(tr("Measured")), {});
  double measured = medianStep(run.steps());
  rows += row(tr("Step time"), first->stepSeconds ? secondsText(*first->stepSeconds) : tr("bytes only"), secondsText(measured), first->stepSeconds ? verdictOf(*first->stepSeconds, measured) : QString());
  if (counted.flops > 0 || counted.bytesIn > 0) {
    rows += row(tr("Work, rank 0"), flopsText(double(first->flops)), flopsText(double(counted.flops)), verdictOf(double(first->flops), double(counted.flops)));
    rows += row(tr("Payload, rank 0"), bytesText(first->bytesIn), bytesText(counted.bytesIn), verdictOf(double(first->bytesIn), double(counted.bytesIn)));
  }
  if (std::int64_t peak = highestMemory(run.trace())) {
    std::int64_t predicted = analysis.cost->devices.front().peak.total();
    rows += row(tr("Peak memory"), bytesText(predicted), bytesText(peak), verdictOf(double(predicted), double(peak)));
  }
  return QStringLiteral("<table>%1</table>").arg(rows);
}

}  // namespace ui
