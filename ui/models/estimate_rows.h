#pragma once

#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "core/plan/analyze.h"
#include "ui/widgets/memory_bar.h"

// The estimate in the rows and sentences that panels show.

namespace ui {

class Session;

QString sourceText(const Session& session);  // "Estimated · current, 38 ms"
MemoryBarData memoryBars(const core::Analysis& analysis, bool stale, std::optional<std::int64_t> measured = {});
MemoryBarRow memoryRow(const core::DeviceCost& device, const QString& label);
QString assumptionsText(const core::Analysis& analysis);
QString costSummary(const core::Analysis& analysis);                   // step time and its parts, flops, padding
std::vector<QStringList> trafficRows(const core::Analysis& analysis);  // axis, collective, calls, payload, sent, time
QStringList largestTensors(const core::Analysis& analysis, core::MemoryClass memoryClass, std::size_t count);

// The highest peak that a rank of the open run counted, when the run is of this plan; none before.
std::optional<std::int64_t> measuredPeak(Session& session);

QString stepText(const core::Step& step);  // "training, Adam, f32"

}  // namespace ui
