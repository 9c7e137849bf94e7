#include <fmt/format.h>

#include <memory>

#include "app/cli/plan_options.h"
#include "app/cli/verbs.h"
#include "core/io/chrome_trace.h"
#include "core/io/cost_json.h"
#include "core/io/dot.h"
#include "core/io/file.h"
#include "core/io/layout_export.h"
#include "core/io/layout_file.h"
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

std::string title(const Options&, const ChosenPlan& chosen) { return describe(chosen); }

std::string chromeTrace(const Options& options, const ChosenPlan& chosen) {
  if (core::isRunFolder(options.plan.plan)) return core::printChromeTrace(core::readTrace(options.plan.plan), "measured: " + title(options, chosen));
  const core::Analysis analysis = analyzeOrRefuse(chosen);
  printNotes(chosen, analysis);
  return core::printChromeTrace(*analysis.cost, chosen.chosen().mesh, "predicted: " + title(options, chosen));
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

// A plan that is not legal yet can be drawn, without shardings.
std::string drawing(const Options& options, const ChosenPlan& chosen) {
  const core::Analysis analysis = core::flattened(core::analyze(chosen.plan, chosen.variant));
  printNotes(chosen, analysis);
  return options.as == "dot" ? core::printDot(analysis) : picture(analysis, options.as);
}

std::string text(const Options& options) {
  const ChosenPlan chosen = chosenOf(options);
  if (options.as == "chrome-trace") return chromeTrace(options, chosen);
  if (options.as == "mesh-tf") return core::printMeshTensorflow(chosen.chosen().layout) + "\n";
  if (options.as == "dot" || options.as == "svg" || options.as == "png" || options.as == "pdf") return drawing(options, chosen);
  const core::Analysis analysis = analyzeOrRefuse(chosen);
  printNotes(chosen, analysis);
  if (options.as == "layout-json") return core::printLayoutFile(core::exportLayout(analysis));
  if (options.as == "partition-spec") return core::printPartitionSpecs(core::exportLayout(analysis));
  if (options.as == "dtensor") return core::printDTensorPlacements(core::exportLayout(analysis));
  if (options.as == "estimate-json") return core::printEstimateJson(analysis);
  return core::printEstimateCsv(analysis);
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
  arguments.oneOf("--as", options->as, {"layout-json", "mesh-tf", "partition-spec", "dtensor", "dot", "svg", "png", "pdf", "chrome-trace", "estimate-json", "estimate-csv"},
                  "what to write", true);
  arguments.required("-o,--output", options->output, "FILE", "where to; - is standard output");
  return [options] { return exportPlan(*options); };
}

}  // namespace

Verb exportVerb() { return {"export", "Writes a layout, a graph or a trace in a form that others read; takes a plan or a run folder.", declareExport}; }

}  // namespace app
