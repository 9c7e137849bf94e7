#include <fmt/format.h>

#include <memory>

#include "app/cli/plan_options.h"
#include "app/cli/verbs.h"
#include "core/io/exports.h"
#include "core/io/file.h"
#include "core/run/filter.h"
#include "core/run/launcher.h"
#include "core/run/run_folder.h"

namespace app {
namespace {

struct Options {
  PlanOptions plan;
  std::string as, output;
};

// A plan, or the plan of a run: as it was run.
ChosenPlan chosenOf(const Options& options) {
  PlanOptions plan = options.plan;
  if (core::isRunFolder(plan.plan)) plan.plan = core::RunFolder{plan.plan}.plan();
  return choose(plan);
}

// Graphviz is a program of its own, for it can hang or crash.
std::string picture(const core::Export& form, core::ExportSource source) {
  const std::string program = core::findBeside("meshwright-layout");
  for (const core::PictureAttempt& attempt : core::pictureAttempts()) try {
      source.drawn = attempt.drawn;
      return core::filter({program, "-T", std::string(form.picture)}, core::exported(form, source), core::pictureSeconds);
    } catch (const core::Error& error) {
      if (&attempt == &core::pictureAttempts().back()) throw;
      fmt::print(stderr, "note: {}: {}\n", attempt.lacks, error.what.substr(0, error.what.find('\n')));
    }
  return {};
}

// The trace of a run is what was measured.
const core::Export& formOf(const Options& options, bool isRun) {
  return *core::findExport(isRun && options.as == "chrome-trace" ? "measured-trace" : options.as);
}

// A plan that is not legal yet can be drawn, without shardings.
std::string text(const Options& options) {
  const bool isRun = core::isRunFolder(options.plan.plan);
  const core::Export& form = formOf(options, isRun);
  const ChosenPlan chosen = chosenOf(options);
  if (form.wants == core::ExportWants::run) return core::exported(form, {.title = describe(chosen), .run = isRun ? options.plan.plan : ""});
  const core::Analysis analysis = core::flattened(form.wants == core::ExportWants::program ? analyzeOrRefuse(chosen) : core::analyze(chosen.plan, chosen.variant));
  printNotes(chosen, analysis);
  const core::ExportSource source{.analysis = &analysis, .title = describe(chosen)};
  return form.picture.empty() ? core::exported(form, source) : picture(form, source);
}

int exportPlan(const Options& options) {
  const std::string all = text(options);
  if (options.output == "-")
    fmt::print("{}", all);
  else
    core::writeTextAtomically(options.output, all);
  return done;
}

std::function<int()> declareExport(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  declare(arguments, options->plan);
  std::vector<std::string> forms;
  for (const core::Export& one : core::exports()) forms.emplace_back(one.name);
  arguments.oneOf("--as", options->as, forms, "what to write", true);
  arguments.required("-o,--output", options->output, "FILE", "where to; - is standard output");
  return [options] { return exportPlan(*options); };
}

}  // namespace

Verb exportVerb() { return {"export", "Writes a layout, a graph or a trace in a form that others read; takes a plan or a run folder.", declareExport}; }

}  // namespace app
