#include "core/run/counted_trace.h"

#include <algorithm>
#include <limits>
#include <map>

#include "core/base/checked.h"

namespace core {
namespace {

bool counts(InstructionKind kind) { return kind != InstructionKind::free && kind != InstructionKind::repeat; }

struct StepTime {
  double start = std::numeric_limits<double>::infinity();
  double end = -std::numeric_limits<double>::infinity();
};

// Gathers one rank's spans by instruction and iteration, in the order in which they first ran.
class RankCounter {
 public:
  explicit RankCounter(std::int64_t rank) { counted_.rank = rank; }

  void add(const Span& span, const TraceInstruction& instruction) {
    StepTime& step = steps_[span.step];
    step.start = std::min(step.start, span.start);
    step.end = std::max(step.end, span.end);
    if (!counts(instruction.kind)) return;
    const auto [place, isNew] = places_.emplace(std::pair{span.instruction, span.iteration}, counted_.instructions.size());
    if (isNew) counted_.instructions.push_back({.name = instruction.name, .iteration = span.iteration});
    CountedInstruction& one = counted_.instructions[place->second];
    ++one.times;
    one.flops = checkedSum(one.flops, span.flops);
    one.bytesIn = checkedSum(one.bytesIn, span.bytesIn);
    one.bytesOut = checkedSum(one.bytesOut, span.bytesOut);
    one.seconds += span.end - span.start;
  }

  void add(const MemoryCount& memory) {
    MemoryAt peak;
    peak.bytes = memory.bytes;
    if (!counted_.peak || peak.total() > counted_.peak->total()) counted_.peak = peak;
    counted_.runtimeBytes = std::max(counted_.runtimeBytes, memory.runtime);
  }

  bool ran() const { return !steps_.empty(); }
  CountedRank take() { return std::move(counted_); }

  double stepSeconds() const {
    double sum = 0;
    for (const auto& [step, time] : steps_) sum += time.end - time.start;
    return steps_.empty() ? 0 : sum / static_cast<double>(steps_.size());
  }

 private:
  CountedRank counted_;
  std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> places_;
  std::map<std::int64_t, StepTime> steps_;
};

}  // namespace

Counted countedFrom(const Trace& trace) {
  std::vector<RankCounter> ranks;
  for (std::int64_t rank = 0; rank < trace.ranks; ++rank) ranks.emplace_back(rank);
  for (const Span& span : trace.spans) ranks[static_cast<std::size_t>(span.rank)].add(span, trace.instructions[static_cast<std::size_t>(span.instruction)]);
  for (const MemoryCount& memory : trace.memory) ranks[static_cast<std::size_t>(memory.rank)].add(memory);
  Counted counted;
  if (!ranks.empty()) counted.stepSeconds = ranks[0].stepSeconds();
  for (RankCounter& rank : ranks)
    if (rank.ran()) counted.ranks.push_back(rank.take());
  return counted;
}

}  // namespace core
