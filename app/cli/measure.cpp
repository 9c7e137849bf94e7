#include "app/cli/measure.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <map>

#include "core/ops/builder.h"
#include "core/plan/analyze.h"
#include "core/run/supervisor.h"
#include "core/run/trace.h"

namespace app {
namespace {

namespace fs = std::filesystem;
using core::GraphBuilder;
using core::TensorId;

// A folder that is gone afterwards.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = fs::temp_directory_path() / "meshwright-calibrate-XXXXXX";
    if (!::mkdtemp(pattern.data())) throw core::Error{.what = "cannot make a temporary folder", .where = pattern, .right = {}};
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Names of what is measured begin with what it is: "product/256", "copy/1048576", "message/64", "launch".
void product(GraphBuilder& build, const std::string& what, std::int64_t size, core::DType dtype) {
  const std::string tag = fmt::format("{}_{}", what, size);
  const TensorId a = build.input(tag + "_a", fmt::format("{0}_m:{1} {0}_k:{1}", tag, size), dtype);
  const TensorId b = build.input(tag + "_b", fmt::format("{0}_k:{1} {0}_n:{1}", tag, size), dtype);
  build.nextName(fmt::format("{}/{}", what, size));
  build.output(build.einsum({a, b}, fmt::format("{0}_m {0}_n", tag)));
}

void elementwise(GraphBuilder& build, const std::string& what, std::int64_t size) {
  const TensorId x = build.input(fmt::format("{}_{}_x", what, size), fmt::format("{0}_{1}_i:{1}", what, size));
  build.nextName(fmt::format("{}/{}", what, size));
  build.output(build.unary(core::Function::negate, x));
}

core::Plan measuringPlan(const MeasureOptions& options) {
  GraphBuilder build;
  core::Variant variant{.name = "A", .mesh = {.axes = {{"ranks", options.ranks}}}};
  variant.step.inference = true;
  for (std::int64_t size = 32; size <= options.largest; size *= 2) product(build, "product", size, core::DType::f32);
  for (std::int64_t size = 64; size <= std::min<std::int64_t>(512, options.largest); size *= 2) product(build, "product64", size, core::DType::f64);
  for (std::int64_t size : {std::int64_t{1} << 18, std::int64_t{1} << 20, std::int64_t{1} << 22}) elementwise(build, "copy", size);
  elementwise(build, "launch", 1);
  // Split before, whole after: an all-gather, in which each of two ranks sends its half.
  for (std::int64_t size = 2 * options.ranks; size <= std::int64_t{1} << 22; size *= 8) {
    elementwise(build, "message", size);
    variant.layout.rules.push_back({fmt::format("message_{0}_i", size), {"ranks"}});
    variant.layout.pins.push_back({fmt::format("message/{}", size), {}});
  }
  core::Plan plan{.name = "calibration", .graph = std::make_shared<const core::Graph>(build.take())};
  plan.variants.push_back(std::move(variant));
  return plan;
}

// What an instruction took at best on the slowest rank; a collective from the start to the end of its wait.
std::map<std::string, double> bestSeconds(const core::Trace& trace, const core::Program& program) {
  std::map<std::string, std::string> startOf;  // of a wait
  std::map<int, std::string> starts;
  for (const core::Instruction& one : program.instructions) {
    if (one.kind == core::InstructionKind::start) starts[one.pair] = one.name;
    if (one.kind == core::InstructionKind::wait) startOf[one.name] = starts[one.pair];
  }
  std::map<std::string, std::map<std::int64_t, std::map<std::int32_t, double>>> all;  // by name, step, rank
  for (const core::Span& span : trace.spans) {
    const std::string& name = trace.instructions[static_cast<std::size_t>(span.instruction)].name;
    const auto start = startOf.find(name);
    all[start == startOf.end() ? name : start->second][span.step][span.rank] += span.end - span.start;
  }
  std::map<std::string, double> best;
  for (const auto& [name, steps] : all)
    for (const auto& [step, ranks] : steps) {
      double slowest = 0;
      for (const auto& [rank, seconds] : ranks) slowest = std::max(slowest, seconds);
      const auto [place, isNew] = best.emplace(name, slowest);
      if (!isNew) place->second = std::min(place->second, slowest);
    }
  return best;
}

bool startsWith(const std::string& text, std::string_view head) { return text.starts_with(head); }

core::Measurements collect(const core::Analysis& analysis, const core::Trace& trace, const MeasureOptions& options) {
  core::Measurements measured{.ranks = options.ranks};
  const auto best = bestSeconds(trace, *analysis.program);
  for (const core::PricedInstruction& one : analysis.cost->devices.front().instructions) {
    const auto found = best.find(one.name());
    if (found == best.end() || found->second <= 0) continue;
    const auto& [name, seconds] = *found;
    const core::InstructionCost& cost = one.cost;
    if (one.instruction->kind == core::InstructionKind::start) measured.messages.push_back({static_cast<double>(cost.wireBytes), seconds});
    if (one.instruction->kind != core::InstructionKind::compute && one.instruction->kind != core::InstructionKind::fused) continue;
    if (startsWith(name, "product/")) measured.products.push_back({static_cast<double>(cost.flops), seconds});
    if (startsWith(name, "product64/")) measured.doubleProducts.push_back({static_cast<double>(cost.flops), seconds});
    if (startsWith(name, "copy/")) measured.copies.push_back({static_cast<double>(cost.bytesTouched), seconds});
    if (startsWith(name, "launch/")) measured.launchSeconds = seconds;
  }
  measured.memoryBytes = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGE_SIZE)) / static_cast<double>(options.ranks);
  measured.when = fmt::format("{:%Y-%m-%d}", fmt::localtime(std::time(nullptr)));
  return measured;
}

}  // namespace

core::Measurements measureMachine(const MeasureOptions& options) {
  const auto plan = std::make_shared<const core::Plan>(measuringPlan(options));
  const core::Analysis analysis = core::analyze(plan, 0);
  if (!analysis.program) throw core::Error{.what = analysis.diagnostics.empty() ? "no program" : analysis.diagnostics.front().text(), .where = "calibration", .right = {}};
  const TemporaryFolder temporary;
  const core::RunSettings settings{.steps = options.steps, .threads = options.threads, .inference = true};
  const core::SuperviseOptions supervise{.maxRanks = options.ranks};
  const core::LaunchOptions launch = core::prepareLaunch(*analysis.program, settings, supervise);
  const core::RunFolder folder = core::layDownRun(temporary.path() + "/run", *plan, 0, *analysis.program, settings);
  const core::FinishedEvent finished = core::supervise(folder, *analysis.program, launch, supervise);
  if (finished.state != core::RunState::done) throw core::Error{.what = "the measuring run did not end well: " + finished.message, .where = "calibration", .right = {}};
  return collect(analysis, core::readTrace(folder.path), options);
}

}  // namespace app
