#include <fmt/format.h>

#include <memory>

#include "app/cli/plan_options.h"
#include "app/cli/verbs.h"
#include "core/io/program_file.h"
#include "core/spmd/roll.h"
#include "core/spmd/program.h"

namespace app {
namespace {

struct Options {
  PlanOptions plan;
  bool json = false;
  bool flat = false;
};

int printProgram(const Options& options) {
  const ChosenPlan chosen = choose(options.plan);
  const core::Analysis analysis = analyzeOrRefuse(chosen);
  printNotes(chosen, analysis);
  if (options.json)
    fmt::print("{}", core::printProgramJson(*analysis.program));
  else
    fmt::print("{}\n\n{}", describe(chosen), core::print(options.flat ? core::flatten(*analysis.program) : *analysis.program));
  return done;
}

std::function<int()> declareProgram(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  declare(arguments, options->plan);
  arguments.flag("--flat", options->flat, "equal layers one after the other, not as one repeat");
  arguments.flag("--json", options->json, "program.json as a run reads it");
  return [options] { return printProgram(*options); };
}

}  // namespace

Verb programVerb() { return {"program", "Prints the instructions of one step, each with its reason.", declareProgram}; }

}  // namespace app
