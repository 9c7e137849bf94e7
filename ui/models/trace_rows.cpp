#include "ui/models/trace_rows.h"

#include <map>

#include "ui/models/mesh_tags.h"

namespace ui {
namespace {

void collectAxes(const std::vector<core::Instruction>& list, std::map<std::string_view, std::int16_t>& found) {
  for (const core::Instruction& one : list) {
    if (!one.collective.axes.empty()) found[one.name] = one.collective.axes[0];
    collectAxes(one.body, found);
  }
}

}  // namespace

TimelineLane::Kind laneOf(core::InstructionKind kind) {
  switch (kind) {
    case core::InstructionKind::start:
      return TimelineLane::Kind::communication;
    case core::InstructionKind::wait:
    case core::InstructionKind::control:
      return TimelineLane::Kind::waiting;
    default:
      return TimelineLane::Kind::compute;
  }
}

QString rankName(const core::Mesh& mesh, std::int64_t rank) {
  if (mesh.axes.empty() || rank >= mesh.devices()) return QStringLiteral("rank %1").arg(rank);
  core::Coordinate at = mesh.coordinate(rank);
  QStringList parts;
  for (std::size_t i = 0; i < mesh.axes.size(); ++i)
    parts << QStringLiteral("%1 %2").arg(QString::fromStdString(mesh.axes[i].name)).arg(at[i]);
  return parts.join(QStringLiteral(" · "));
}

TimelineData TraceRows::begin(const core::Trace& trace, const core::Mesh& mesh, const core::Program* program) {
  *this = {};
  TimelineData data;
  data.axes = axisNames(mesh);
  std::map<std::string_view, std::int16_t> axisOf;
  if (program) collectAxes(program->instructions, axisOf);
  for (const core::TraceInstruction& one : trace.instructions) {
    data.labels << QString::fromStdString(one.name);
    auto found = axisOf.find(one.name);
    axes_.push_back(found == axisOf.end() ? std::int16_t{-1} : found->second);
  }
  labels_ = trace.instructions.size();
  for (std::int64_t rank = 0; rank < trace.ranks; ++rank) {
    TimelineRow row{.name = rankName(mesh, rank)};
    for (auto kind : {TimelineLane::Kind::compute, TimelineLane::Kind::communication, TimelineLane::Kind::waiting})
      row.lanes.push_back({.kind = kind});
    data.rows.push_back(std::move(row));
  }
  return data;
}

std::vector<TraceRows::Addition> TraceRows::take(const core::Trace& trace) {
  std::vector<Addition> found;
  for (; taken_ < trace.spans.size(); ++taken_) {
    const core::Span& span = trace.spans[taken_];
    if (span.instruction < 0 || static_cast<std::size_t>(span.instruction) >= labels_) continue;
    if (trace.instructions[static_cast<std::size_t>(span.instruction)].kind == core::InstructionKind::repeat)
      continue;  // its body has spans of its own
    if (!started_) origin_ = span.start, started_ = true;
    auto [step, isFirst] = steps_.try_emplace(span.rank, span.step);
    const bool begins = isFirst || step->second != span.step;
    step->second = span.step;
    core::InstructionKind kind = trace.instructions[static_cast<std::size_t>(span.instruction)].kind;
    found.push_back({span.rank,
                     laneOf(kind),
                     {span.start - origin_, span.end - origin_, span.instruction,
                      axes_[static_cast<std::size_t>(span.instruction)]},
                     begins});
  }
  return found;
}

std::vector<TimelinePrediction> predictionRows(const core::Trace& trace, const RunPrediction& prediction) {
  std::map<std::string_view, std::int32_t> labelOf;
  for (std::size_t i = 0; i < trace.instructions.size(); ++i)
    labelOf[trace.instructions[i].name] = static_cast<std::int32_t>(i);
  std::vector<TimelinePrediction> rows;
  for (std::size_t rank = 0; rank < prediction.ranks.size(); ++rank) {
    TimelinePrediction row{.seconds = prediction.ranks[rank].seconds};
    for (auto kind : {TimelineLane::Kind::compute, TimelineLane::Kind::communication, TimelineLane::Kind::waiting})
      row.lanes.push_back({.kind = kind});
    for (const core::PredictedSpan& span : prediction.ranks[rank].spans) {
      const core::Instruction& one = *prediction.cost.devices[rank].instructions[span.instruction].instruction;
      auto label = labelOf.find(one.name);
      if (label == labelOf.end()) continue;  // not run: compare says so
      std::int16_t axis = one.collective.axes.empty() ? std::int16_t{-1} : static_cast<std::int16_t>(one.collective.axes[0]);
      row.lanes[static_cast<std::size_t>(laneOf(one.kind))].append({span.start, span.end, label->second, axis});
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace ui
