#pragma once

#include <QString>
#include <vector>

#include "core/plan/shortage.h"
#include "ui/models/layout_edits.h"
#include "ui/session/shortage_finder.h"

// What does not fit, and what would help, in the sentences and edits that panels show.

namespace ui {

NamedEdit editOf(const core::Relief& relief);  // "Split vocab over model"
QString shortageText(
    const core::Analysis& analysis);  // "✕ Does not fit: needs 19.4 GB of 16.0 GB"; empty where it fits
QString causeText(const core::PeakCause& cause,
                  std::int64_t peakBytes);    // "6.44 GB  h.*/attn/scores ×12, 33 % (activations)"
QString offerText(const ReliefOffer& offer);  // "peak 19.4 → 12.1 GB, fits · step 842 → 790 ms"

}  // namespace ui
