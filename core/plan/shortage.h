#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/plan/analyze.h"

// A step that its machine's memory does not hold: what takes the bytes, and single changes that might help.
//
//   peakCauses(analysis, 5)         h.*/attn/scores x12  6 GiB activations,  loss/softmax  1.5 GiB ...
//   reliefs(analysis)               split vocab over model, split seq over model, bf16, data:8 ...
//   reached(analyze(relieve(plan, relief)))      what one of them really comes to

namespace core {

// Buffers that are live at the peak, those of equal layers together.
struct PeakCause {
  std::string name;                  // "loss/softmax", or "h.*/attn/scores" for those of several layers
  MemoryClass memoryClass = MemoryClass::activations;
  std::int64_t buffers = 0;
  std::int64_t bytes = 0;            // all of them together
  std::vector<std::string> tensors;  // of the step graph
  bool operator==(const PeakCause&) const = default;
};

std::vector<PeakCause> peakCauses(const Analysis& analysis, std::size_t most);  // largest first

struct Relief {
  enum class Kind : std::uint8_t {
    split,      // `dimension` over `axis`, which the mesh has
    splitNew,   // `dimension` over `axis` of `size`, which comes to the mesh
    enlarge,    // `axis` to `size`
    precision,  // f32 to bf16
  };
  Kind kind = Kind::split;
  std::string dimension, axis;
  std::int64_t size = 0;
  bool operator==(const Relief&) const = default;
};

// Changes of the analysed variant that are worth an analysis: those that touch most bytes of the peak. A rule that the layout alone shows to be
// illegal is not among them; whether one helps, and how much, an analysis says.
std::vector<Relief> reliefs(const Analysis& analysis);
Plan relieve(Plan plan, const Relief& relief);  // of the current variant

// By what changes are ranked: what fits before what does not; of what fits, fewer devices, then less time; else the lower peak.
struct Reached {
  bool fits = false;
  std::int64_t devices = 1;
  std::int64_t peakBytes = 0;
  std::optional<double> stepSeconds;
  bool operator==(const Reached&) const = default;
};

std::optional<Reached> reached(const Analysis& analysis);  // none without an estimate
bool isBetter(const Reached& one, const Reached& other);

}  // namespace core
