#include "core/cost/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/cli/table.h"
#include "app/cli/verbs.h"
#include "core/base/units.h"
#include "core/io/comparison_json.h"
#include "core/io/plan_file.h"
#include "core/io/program_file.h"
#include "core/run/counted_trace.h"
#include "core/run/run_folder.h"

namespace app {
namespace {

using core::bytesText;
using Side = Table::Side;

struct Options {
  std::string folder;
  std::optional<std::string> machine;
  std::int64_t top = 20;
  bool json = false;
};

std::string seconds(const std::optional<double>& value) { return value ? core::secondsText(*value) : "-"; }

// Both figures, or one where they agree.
std::string beside(std::int64_t predicted, std::int64_t counted, std::string (*text)(std::int64_t)) {
  return predicted == counted ? text(counted) : fmt::format("{} but {}", text(predicted), text(counted));
}

std::string flops(std::int64_t value) { return core::flopsText(static_cast<double>(value)); }

void printRanks(const core::Comparison& comparison) {
  Table table({"rank", "compute", "bytes in", "bytes out", "peak memory", "runtime", "predicted", "measured", "exact"},
              {Side::right, Side::right, Side::right, Side::right, Side::right, Side::right, Side::right, Side::right, Side::left});
  for (const core::ComparedRank& one : comparison.ranks) {
    const std::int64_t peak = one.predictedPeak.total();
    std::optional<double> predicted;
    if (one.predictedComputeSeconds) predicted = *one.predictedComputeSeconds + one.predictedCommunicationSeconds.value_or(0);
    table.row({std::to_string(one.rank), beside(one.predicted.flops, one.counted.flops, flops), beside(one.predicted.bytesIn, one.counted.bytesIn, bytesText),
               beside(one.predicted.bytesOut, one.counted.bytesOut, bytesText), beside(peak, one.countedPeak ? one.countedPeak->total() : -1, bytesText), bytesText(one.runtimeBytes),
               seconds(predicted), seconds(one.measuredComputeSeconds + one.measuredCommunicationSeconds), one.exact ? "yes" : "no"});
  }
  fmt::print("Ranks: predicted and counted of all steps (one figure where both agree), seconds of a step\n{}", table.text());
}

void printSlowest(const core::Comparison& comparison, std::int64_t top) {
  std::vector<const core::ComparedInstruction*> rows;
  for (const core::ComparedInstruction& one : comparison.instructions) rows.push_back(&one);
  std::stable_sort(rows.begin(), rows.end(), [](const auto* a, const auto* b) { return a->measuredSeconds > b->measuredSeconds; });
  rows.resize(std::min(rows.size(), static_cast<std::size_t>(top)));
  Table table({"instruction", "rank", "times", "compute", "bytes in", "bytes out", "predicted", "measured"},
              {Side::left, Side::right, Side::right, Side::right, Side::right, Side::right, Side::right, Side::right});
  for (const auto* one : rows)
    table.row({one->iteration ? fmt::format("{} [{}]", one->name, one->iteration) : one->name, std::to_string(one->rank), core::countText(one->times),
               beside(one->predicted.flops, one->counted.flops, flops), beside(one->predicted.bytesIn, one->counted.bytesIn, bytesText),
               beside(one->predicted.bytesOut, one->counted.bytesOut, bytesText), seconds(one->predictedSeconds), seconds(one->measuredSeconds)});
  fmt::print("\nThe slowest instructions, seconds of a step\n{}", table.text());
}

void printForPeople(const core::Comparison& comparison, std::int64_t top) {
  fmt::print("{}\n", comparison.exact ? "Exact: what was predicted is what was counted, to the byte and the flop." : "Not exact: predicted and counted differ.");
  for (const std::string& one : comparison.differences) fmt::print("  {}\n", one);
  fmt::print("A step took {}, the mean of all; predicted {}\n\n", core::secondsText(comparison.measuredStepSeconds), seconds(comparison.predictedStepSeconds));
  printRanks(comparison);
  printSlowest(comparison, top);
}

int compareRun(const Options& options) {
  const core::RunFolder folder = core::openRunFolder(options.folder);
  const core::Program program = core::readProgram(folder.program());
  const core::Plan plan = core::readPlan(folder.plan());
  const std::string name = options.machine.value_or(plan.variant().machine);
  std::optional<core::Machine> machine;
  if (!name.empty()) machine = core::readMachine(name);
  const core::Counted counted = core::countedFrom(core::readTrace(folder.path));
  if (counted.ranks.empty()) throw core::Error{.what = "the run has no trace", .where = folder.trace(), .right = "a run that made at least one step"};
  const core::Comparison comparison = core::compare(program, machine ? &*machine : nullptr, counted);
  if (options.json)
    fmt::print("{}", core::printComparisonJson(comparison));
  else
    printForPeople(comparison, options.top);
  return done;
}

std::function<int()> declareCompare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.positional("run", options->folder, "a run folder");
  arguments.text("--machine", options->machine, "NAME|FILE", "predict seconds for this machine (default: the variant's)");
  arguments.number("--top", options->top, 0, 1'000'000, "how many of the slowest instructions to show");
  arguments.flag("--json", options->json, "every figure, of every instruction and rank, as JSON");
  return [options] { return compareRun(*options); };
}

}  // namespace

Verb compareVerb() { return {"compare", "Puts what was predicted of a run beside what was counted and measured.", declareCompare}; }

}  // namespace app
