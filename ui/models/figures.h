#pragma once

#include <QString>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/plan/analyze.h"

// The figures of an analysis by which layouts are judged, and how one differs from another. Of the device class with
// the highest peak.

namespace ui {

struct Figures {
  std::vector<core::Diagnostic> errors;  // with one of these the other figures say nothing
  std::array<std::int64_t, core::memoryClasses> memory{};
  std::int64_t peakBytes = 0;
  std::optional<std::int64_t> memoryLimit;
  std::int64_t collectives = 0;
  std::int64_t wireBytes = 0;
  std::int64_t flops = 0;
  std::int64_t paddingBytes = 0;
  std::optional<double> computeSeconds, communicationSeconds, stepSeconds;  // none without a machine

  bool legal() const { return errors.empty(); }
  bool fits() const { return !memoryLimit || peakBytes <= *memoryLimit; }
  bool operator==(const Figures&) const = default;
};

Figures figuresOf(const core::Analysis& analysis);

enum class Judgement { same, better, worse };

// One line of a comparison: "peak memory", "61.2 GB", "38.9 GB", "−22.3 GB", better.
struct FigureLine {
  QString name;
  QString before;
  QString after;
  QString delta;  // signed, with its unit; empty when nothing changed
  Judgement judgement = Judgement::same;
  double beforeValue = 0, afterValue = 0;  // for bars on one scale
  bool operator==(const FigureLine&) const = default;
};

std::vector<FigureLine> compareFigures(const Figures& before, const Figures& after);
QString judgementText(Judgement judgement);  // "better", "worse", ""
QString arrowText(const FigureLine& line);   // "▲", "▼", ""

// What an edit does, found before it is made.
struct Effect {
  Figures before, after;
  int tensorsFollowing = 0;  // tensors whose sharding differs
  bool operator==(const Effect&) const = default;
};

Effect effectOf(const core::Analysis& before, const core::Analysis& after);
QString refusalText(const Figures& figures);  // the first error as a sentence; empty when legal
QString summaryText(
    const Effect& effect);  // one line: "peak 61.2 → 38.9 GB, 2 more collectives, step 412 → 405 ms, 18 tensors follow"

}  // namespace ui
