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

QString tr(const char* text) {
  return QCoreApplication::translate("RunRows", text);
}

QString colourOf(RunWatch::State state) {
  switch (state) {
    case RunWatch::State::done:
      return theme().good.name();
    case RunWatch::State::failed:
      return theme().error.name();
    case RunWatch::State::lost:
      return theme().warning.name();
    case RunWatch::State::preparing:
    case RunWatch::State::running:
      return theme().information.name();
    default:
      return theme().muted.name();
  }
}

RankState rankStateOf(const RunWatch& run, std::int64_t rank) {
  switch (run.state()) {
    case RunWatch::State::none:
      return RankState::waiting;
    case RunWatch::State::preparing:
      return RankState::starting;
    case RunWatch::State::running:
      return run.steps().empty() ? RankState::starting : RankState::running;
    case RunWatch::State::done:
    case RunWatch::State::stopped:
      return RankState::done;
    case RunWatch::State::lost:
      return RankState::lost;
    case RunWatch::State::failed:
      break;
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

QString row(const QString& name, const QString& predicted, const QString& measured, const QString& verdict) {
  const auto whole = [](QString text) { return text.replace(' ', QStringLiteral("&nbsp;")); };
  return QStringLiteral(
             "<tr><td style='color:%1;padding-right:10px'>%2</td><td align='right' "
             "style='padding-right:10px'>%3</td><td align='right' style='padding-right:10px'>%4</td><td>%5</td></tr>")
      .arg(theme().muted.name(), whole(name), whole(predicted), whole(measured), verdict);
}

QString verdictOf(double predicted, double measured) {
  if (predicted == measured)
    return QStringLiteral("<span style='color:%1'>=&nbsp;%2</span>").arg(theme().good.name(), tr("exact").replace(' ', QStringLiteral("&nbsp;")));
  if (predicted <= 0) return {};
  return QStringLiteral("<span style='color:%1'>%2&nbsp;×</span>")
      .arg(theme().muted.name(), QString::number(measured / predicted, 'f', 2));
}

}  // namespace

QString runStateLine(const RunWatch& run) {
  if (!run.isOpen())
    return QStringLiteral("<span style='color:%1'>%2</span>")
        .arg(theme().muted.name(), tr("No run is open. Run starts the current variant on this machine."));
  QStringList parts{QStringLiteral("<b style='color:%1'>%2</b>").arg(colourOf(run.state()), runStateText(run.state()))};
  parts << QFileInfo(QString::fromStdString(run.folder().path)).fileName().toHtmlEscaped();
  if (run.started())
    parts << tr("%1 ranks on %2")
                 .arg(run.started()->ranks)
                 .arg(QString::fromStdString(run.started()->mesh).toHtmlEscaped());
  if (!run.steps().empty()) {
    const core::StepEvent& last = run.steps().back();
    std::int64_t end = run.started() ? run.started()->firstStep + run.started()->steps - 1 : last.step;
    parts << tr("step %1 of %2").arg(last.step).arg(end);
    if (last.loss) parts << tr("loss %1").arg(*last.loss, 0, 'g', 5);
    parts << tr("%1 a step").arg(secondsText(medianStep(run.steps())));
  }
  QString text = parts.join(QStringLiteral(" · "));
  if (!run.problem().isEmpty())
    text +=
        QStringLiteral("<br><span style='color:%1'>%2</span>").arg(theme().error.name(), run.problem().toHtmlEscaped());
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

QString outcomeText(const RunWatch& run) {
  if (!run.comparison()) return {};
  const core::Comparison& found = run.comparison()->comparison;
  QString text =
      found.exact
          ? QStringLiteral("<b style='color:%1'>✓ %2</b>")
                .arg(theme().good.name(),
                     tr("Exact: what was predicted is what was counted, to the byte and the flop."))
          : QStringLiteral("<b style='color:%1'>✕ %2</b><br>%3")
                .arg(theme().error.name(), tr("Not exact"),
                     QString::fromStdString(found.differences.empty() ? std::string() : found.differences.front())
                         .toHtmlEscaped());
  QString rows = row(QString(), QStringLiteral("<b>%1</b>").arg(tr("Predicted")),
                     QStringLiteral("<b>%1</b>").arg(tr("Measured")), {});
  rows +=
      row(tr("Step time"), found.predictedStepSeconds ? secondsText(*found.predictedStepSeconds) : tr("bytes only"),
          secondsText(found.measuredStepSeconds),
          found.predictedStepSeconds ? verdictOf(*found.predictedStepSeconds, found.measuredStepSeconds) : QString());
  if (!found.ranks.empty()) {
    const core::ComparedRank& first = found.ranks.front();
    rows += row(tr("Of rank 0"), {}, {}, {});
    rows += row(tr("Work"), flopsText(double(first.predicted.flops)), flopsText(double(first.counted.flops)),
                verdictOf(double(first.predicted.flops), double(first.counted.flops)));
    rows += row(tr("Payload"), bytesText(first.predicted.bytesIn), bytesText(first.counted.bytesIn),
                verdictOf(double(first.predicted.bytesIn), double(first.counted.bytesIn)));
    if (first.countedPeak)
      rows += row(tr("Peak"), bytesText(first.predictedPeak.total()), bytesText(first.countedPeak->total()),
                  verdictOf(double(first.predictedPeak.total()), double(first.countedPeak->total())));
    rows += row(tr("Libraries"), QStringLiteral("–"), bytesText(first.runtimeBytes), {});
  }
  QString note;
  if (const std::string& machine = run.comparison()->machine; !machine.empty() && found.predictedStepSeconds)
    note = QStringLiteral("<span style='color:%1'>%2</span>")
               .arg(theme().muted.name(),
                    tr("Seconds are predicted for %1; bytes, flops and memory are the same on any machine.")
                        .arg(QString::fromStdString(machine).toHtmlEscaped()));
  return QStringLiteral("%1<table>%2</table>%3").arg(text, rows, note);
}

std::vector<QStringList> measuredRows(const RunComparison& found, std::size_t most) {
  std::vector<const core::ComparedInstruction*> order;
  for (const core::ComparedInstruction& one : found.comparison.instructions) order.push_back(&one);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto* a, const auto* b) { return a->measuredSeconds > b->measuredSeconds; });
  std::vector<QStringList> rows;
  for (const core::ComparedInstruction* one : order) {
    if (rows.size() == most) break;
    QString name = QString::fromStdString(one->name);
    rows.push_back({name, QString::number(one->rank),
                    one->predictedSeconds ? secondsText(*one->predictedSeconds) : tr("bytes only"),
                    secondsText(one->measuredSeconds), flopsText(double(one->counted.flops)),
                    bytesText(one->counted.bytesIn), one->exact ? tr("= exact") : tr("✕ differs")});
  }
  return rows;
}

}  // namespace ui
