#include "core/cost/compare.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "core/base/checked.h"

namespace core {
namespace {

constexpr std::size_t mostDifferences = 100;

Figures figuresOf(const InstructionCost& cost, std::int64_t times) {
  return {checkedProduct(cost.flops, times), checkedProduct(cost.bytesIn, times), checkedProduct(cost.bytesOut, times)};
}

Figures figuresOf(const CountedInstruction& counted) { return {counted.flops, counted.bytesIn, counted.bytesOut}; }

void addTo(Figures& total, const Figures& more) {
  total.flops = checkedSum(total.flops, more.flops);
  total.bytesIn = checkedSum(total.bytesIn, more.bytesIn);
  total.bytesOut = checkedSum(total.bytesOut, more.bytesOut);
}

bool communicates(const ComparedInstruction& row) {
  if (!row.instruction) return false;
  const InstructionKind kind = row.instruction->kind;
  return kind == InstructionKind::start || kind == InstructionKind::wait || kind == InstructionKind::control;
}

std::string placeOf(const ComparedInstruction& row) {
  return row.iteration == 0 ? fmt::format("{}, rank {}", row.name, row.rank)
                            : fmt::format("{}, iteration {}, rank {}", row.name, row.iteration, row.rank);
}

class Comparing {
 public:
  Comparing(const Program& program, const Machine* machine) : program_(program), machine_(machine) {}

  Comparison run(const Counted& counted) {
    result_.exact = true;
    result_.measuredStepSeconds = counted.stepSeconds;
    std::set<std::int64_t> seen;
    for (const CountedRank& rank : counted.ranks) {
      if (rank.rank < 0 || rank.rank >= program_.mesh.devices() || !seen.insert(rank.rank).second)
        differ(fmt::format("rank {} was counted, which is not a rank of the mesh {} or stands there twice", rank.rank, print(program_.mesh)));
      else
        compareRank(rank);
    }
    for (std::int64_t rank = 0; rank < program_.mesh.devices(); ++rank)
      if (seen.count(rank) == 0) differ(fmt::format("rank {} was not counted", rank));
    if (machine_) result_.predictedStepSeconds = estimate(program_, machine_).stepSeconds();
    return std::move(result_);
  }

 private:
  using Key = std::pair<std::string, std::int64_t>;

  void differ(const std::string& sentence) {
    result_.exact = false;
    if (result_.differences.size() < mostDifferences) result_.differences.push_back(sentence);
  }

  void compareRank(const CountedRank& counted) {
    const DeviceCost predicted = costOf(program_, program_.mesh.coordinate(counted.rank), machine_);
    std::map<Key, const CountedInstruction*> known;
    for (const CountedInstruction& one : counted.instructions)
      if (!known.insert({{one.name, one.iteration}, &one}).second) differ(fmt::format("{} was counted twice on rank {}", one.name, counted.rank));
    rank_ = {.rank = counted.rank, .predictedPeak = predicted.peak, .countedPeak = counted.peak, .runtimeBytes = counted.runtimeBytes,
             .predictedComputeSeconds = predicted.computeSeconds, .predictedCommunicationSeconds = predicted.communicationSeconds, .exact = true};
    for (const PricedInstruction& one : predicted.instructions) {
      if (one.instruction->kind == InstructionKind::free) continue;
      const auto found = known.find({one.name(), one.iteration});
      addRow(one, found == known.end() ? nullptr : found->second);
      if (found != known.end()) known.erase(found);
    }
    for (const auto& [key, one] : known) addUnknown(*one);
    comparePeak();
    result_.ranks.push_back(rank_);
  }

  void addRow(const PricedInstruction& predicted, const CountedInstruction* counted) {
    ComparedInstruction row{.instruction = predicted.instruction, .name = predicted.name(), .iteration = predicted.iteration,
                            .rank = rank_.rank, .predictedSeconds = predicted.cost.seconds};
    row.times = counted ? counted->times : 0;
    row.predicted = figuresOf(predicted.cost, row.times);
    if (counted) row.counted = figuresOf(*counted);
    if (row.times > 0) row.measuredSeconds = counted->seconds / static_cast<double>(row.times);
    row.exact = row.times > 0 && row.predicted == row.counted;
    add(std::move(row));
  }

  void addUnknown(const CountedInstruction& counted) {
    add({.name = counted.name, .iteration = counted.iteration, .rank = rank_.rank, .times = counted.times, .counted = figuresOf(counted)});
  }

  void add(ComparedInstruction row) {
    addTo(rank_.predicted, row.predicted);
    addTo(rank_.counted, row.counted);
    (communicates(row) ? rank_.measuredCommunicationSeconds : rank_.measuredComputeSeconds) += row.measuredSeconds;
    if (!row.exact) {
      rank_.exact = false;
      explain(row);
    }
    result_.instructions.push_back(std::move(row));
  }

  void explain(const ComparedInstruction& row) {
    if (!row.instruction) return differ(placeOf(row) + ": counted, but the program has no such instruction");
    if (row.times == 0) return differ(placeOf(row) + ": the program has it, but it was never counted");
    const auto say = [&](const char* what, std::int64_t predicted, std::int64_t counted) {
      if (predicted != counted) differ(fmt::format("{}: predicted {} {}, counted {}", placeOf(row), predicted, what, counted));
    };
    say("flops", row.predicted.flops, row.counted.flops);
    say("bytes in", row.predicted.bytesIn, row.counted.bytesIn);
    say("bytes out", row.predicted.bytesOut, row.counted.bytesOut);
  }

  void comparePeak() {
    if (!rank_.countedPeak) {
      rank_.exact = false;
      return differ(fmt::format("rank {}: memory was not counted", rank_.rank));
    }
    for (std::size_t i = 0; i < memoryClasses; ++i) {
      const std::int64_t predicted = rank_.predictedPeak.bytes[i], counted = rank_.countedPeak->bytes[i];
      if (predicted == counted) continue;
      rank_.exact = false;
      differ(fmt::format("memory of {} on rank {}: predicted {} bytes, counted {}", toString(static_cast<MemoryClass>(i)), rank_.rank, predicted, counted));
    }
  }

  const Program& program_;
  const Machine* machine_;
  Comparison result_;
  ComparedRank rank_;
};

}  // namespace

Comparison compare(const Program& program, const Machine* machine, const Counted& counted) {
  return Comparing(program, machine).run(counted);
}

}  // namespace core
