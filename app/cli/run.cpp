#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "app/cli/plan_options.h"
#include "app/cli/verbs.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/run/supervisor.h"

namespace app {
namespace {

namespace fs = std::filesystem;

struct Options {
  PlanOptions plan;
  std::string to;
  std::optional<std::string> data, from, seed, hosts, mpirun;
  std::int64_t steps = 1, checkpointEvery = 0, maxRanks = 16, threads = 1;
  bool inference = false, json = false;
};

std::string absolute(const std::string& path) { return fs::absolute(path).lexically_normal().string(); }

void requireThere(const std::string& path, bool folder, const std::string& option) {
  std::error_code ignored;
  if (folder ? !fs::is_directory(path, ignored) : !fs::is_regular_file(path, ignored))
    throw core::Error{.what = fmt::format("there is no {} {}", folder ? "folder" : "file", path), .where = option, .right = {}};
}

// "text:FILE", "arrays:FOLDER" or "synthetic".
core::Data parseData(const std::string& text) {
  if (text == "synthetic") return {};
  const std::size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  if (colon == std::string::npos || colon + 1 == text.size() || (kind != "text" && kind != "arrays"))
    throw core::Error{.what = fmt::format("\"{}\" names no data", text), .where = "--data", .right = "text:FILE, arrays:FOLDER or synthetic"};
  const core::Data data{kind == "text" ? core::Data::Kind::text : core::Data::Kind::arrays, absolute(text.substr(colon + 1))};
  requireThere(data.path, kind == "arrays", "--data");
  return data;
}

// A run folder, or one of its checkpoints.
std::string parseFrom(const std::string& text) {
  std::error_code ignored;
  if (!fs::exists(text, ignored)) throw core::Error{.what = fmt::format("there is no {}", text), .where = "--from", .right = "a run folder, or a checkpoint in one"};
  return absolute(text);
}

// `run` trains unless somebody said inference; data and seed of the command line are those of the variant that is run.
void settle(const Options& options, ChosenPlan& chosen) {
  core::Plan plan = *chosen.plan;
  core::Variant& variant = plan.variants[chosen.variant];
  if (options.inference && options.plan.train) throw core::Error{.what = "--inference and --train", .where = "run", .right = "one of them"};
  if (options.inference) variant.step.training = false;
  variant.step.inference = options.inference || variant.step.inference;
  if (!variant.step.inference) variant.step.training = true;
  if (options.data) variant.data = parseData(*options.data);
  if (options.seed) {
    const auto seed = core::parseInteger(*options.seed);
    if (!seed || *seed < 0) throw core::Error{.what = fmt::format("\"{}\" is no seed", *options.seed), .where = "--seed", .right = "a whole number from 0"};
    variant.step.seed = static_cast<std::uint64_t>(*seed);
  }
  chosen.plan = std::make_shared<const core::Plan>(std::move(plan));
}

core::RunSettings settingsOf(const Options& options, const core::Variant& variant) {
  core::RunSettings settings{.steps = options.steps,
                             .data = variant.data,
                             .checkpointEvery = options.checkpointEvery,
                             .seed = variant.step.seed,
                             .threads = options.threads,
                             .inference = !variant.step.training};
  if (options.from) settings.from = parseFrom(*options.from);
  return settings;
}

std::string eventForPeople(const std::string& line) {
  const core::Event event = core::parseEvent(line, "events.ndjson");
  if (const auto* started = std::get_if<core::StartedEvent>(&event))
    return fmt::format("started: {} ranks, steps {} to {}\n", started->ranks, started->firstStep, started->firstStep + started->steps - 1);
  if (const auto* step = std::get_if<core::StepEvent>(&event))
    return fmt::format("step {}: {}{}\n", step->step, step->loss ? fmt::format("loss {:.6g}, ", *step->loss) : "", core::secondsText(step->seconds));
  if (const auto* checkpoint = std::get_if<core::CheckpointEvent>(&event)) return fmt::format("checkpoint of step {}: {}\n", checkpoint->step, checkpoint->path);
  return {};
}

std::string finishedText(const core::FinishedEvent& event) {
  std::string text = std::string(core::toString(event.state));
  if (event.rank) text += fmt::format(": rank {}", *event.rank);
  if (event.step) text += fmt::format("{} step {}", event.rank ? "," : ":", *event.step);
  if (!event.instruction.empty()) text += fmt::format(", in {}", event.instruction);
  if (!event.message.empty()) text += ": " + event.message;
  return text;
}

int run(const Options& options) {
  ChosenPlan chosen = choose(options.plan);
  settle(options, chosen);
  const core::RunSettings settings = settingsOf(options, chosen.chosen());
  const core::Analysis analysis = analyzeOrRefuse(chosen);
  requireRunnable(analysis);
  core::SuperviseOptions supervise{.maxRanks = options.maxRanks, .mpirun = options.mpirun.value_or("mpirun")};
  if (options.hosts)
    for (std::string_view host : core::words(*options.hosts, ", ")) supervise.hosts.emplace_back(host);
  supervise.heard = [&](const std::string& line) {
    const std::string text = options.json ? line + "\n" : eventForPeople(line);
    // Whoever reads this may have gone: the run goes on, and its folder has it all.
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
  };
  const core::LaunchOptions launch = core::prepareLaunch(*analysis.program, settings, supervise);
  printNotes(chosen, analysis);
  const core::RunFolder folder = core::layDownRun(options.to, *chosen.plan, chosen.variant, *analysis.program, settings);
  fmt::print(stderr, "{}\nrun folder {}; its log is {}\n", describe(chosen), folder.path, folder.log());
  const core::FinishedEvent finished = core::supervise(folder, *analysis.program, launch, supervise);
  fmt::print(stderr, "{}\n", finishedText(finished));
  return finished.state == core::RunState::failed ? runFailed : done;
}

std::function<int()> declareRun(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  declare(arguments, options->plan);
  arguments.required("--to", options->to, "FOLDER", "the run's folder, which must not hold a run yet");
  arguments.number("--steps", options->steps, 1, 1'000'000'000, "how many steps");
  arguments.text("--data", options->data, "DATA", "text:FILE, arrays:FOLDER or synthetic (default: the variant's)");
  arguments.number("--checkpoint-every", options->checkpointEvery, 0, 1'000'000'000, "steps between checkpoints; 0: none");
  arguments.text("--from", options->from, "FOLDER", "go on from a run's last checkpoint, or from a checkpoint");
  arguments.text("--seed", options->seed, "N", "of initial values, data and random numbers");
  arguments.number("--threads", options->threads, 1, 1024, "threads of a rank");
  arguments.number("--max-ranks", options->maxRanks, 1, 1'000'000, "how many ranks may be started on one host");
  arguments.text("--hosts", options->hosts, "HOST[:SLOTS],...", "hosts that share the folder (default: this machine)");
  arguments.text("--mpirun", options->mpirun, "FILE", "the launcher (default: mpirun)");
  arguments.flag("--inference", options->inference, "run the model forward only");
  arguments.flag("--json", options->json, "print the events, a line each");
  return [options] { return run(*options); };
}

}  // namespace

Verb runVerb() { return {"run", "Starts a rank for each device of the mesh and runs the program's steps.", declareRun}; }

}  // namespace app
