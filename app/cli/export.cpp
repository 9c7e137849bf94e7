#include <fmt/format.h>

#include <memory>

#include "app/cli/plan_options.h"
#include "app/cli/verbs.h"
#include "core/io/chrome_trace.h"
#include "core/io/dot.h"
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

std::string measuredTrace(const Options& options, const ChosenPlan& chosen) {
  return core::printChromeTrace(core::readTrace(options.plan.plan), "measured: " + describe(chosen));
}

// Graphviz is a program of its own because it can hang or crash on legal graphs; a plainer one then often works.
std::string picture(const core::Analysis& analysis, const std::string& format) {
  const std::string program = core::findBeside("meshwright-layout");
  for (const core::DotOptions& options : {core::DotOptions{true, true}, core::DotOptions{true, false}, core::DotOptions{false, false}}) try {
      return core::filter({program, "-T", format}, core::printDot(analysis, options), 30);
    } catch (const core::Error& error) {
      if (!options.clusters) throw;
      fmt::print(stderr, "note: no picture {}: {}\n", options.curves ? "with curved edges" : "with scopes as boxes", error.what.substr(0, error.what.find('\n')));
    }
  return {};
}

const std::vector<std::string> pictures = {"svg", "png", "pdf"};

// A plan that is not legal yet can be drawn, without shardings.
std::string text(const Options& options) {
  const ChosenPlan chosen = chosenOf(options);
  if (options.as == "chrome-trace" && core::isRunFolder(options.plan.plan)) return measuredTrace(options, chosen);
  const core::Export* form = core::findExport(options.as);
  const core::Analysis analysis = core::flattened(form && form->wantsProgram ? analyzeOrRefuse(chosen) : core::analyze(chosen.plan, chosen.variant));
  printNotes(chosen, analysis);
  return form ? core::exported(*form, analysis, describe(chosen)) : picture(analysis, options.as);
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
  std::vector<std::string> forms = pictures;
  for (const core::Export& one : core::textExports()) forms.emplace_back(one.name);
  arguments.oneOf("--as", options->as, forms, "what to write", true);
  arguments.required("-o,--output", options->output, "FILE", "where to; - is standard output");
  return [options] { return exportPlan(*options); };
}

}  // namespace

Verb exportVerb() { return {"export", "Writes a layout, a graph or a trace in a form that others read; takes a plan or a run folder.", declareExport}; }

}  // namespace app
