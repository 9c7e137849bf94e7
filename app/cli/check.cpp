#include <fmt/format.h>

#include <memory>

#include "app/cli/plan_options.h"
#include "app/cli/table.h"
#include "app/cli/verbs.h"
#include "core/base/units.h"
#include "core/io/json_print.h"
#include "core/io/value_json.h"

namespace app {
namespace {

using core::Diagnostic;
using core::Json;

struct Options {
  PlanOptions plan;
  bool json = false;
};

std::string_view severityName(Diagnostic::Severity severity) {
  return severity == Diagnostic::Severity::error ? "error" : severity == Diagnostic::Severity::warning ? "warning" : "note";
}

Json diagnosticJson(const Diagnostic& one) {
  Json json = {{"severity", severityName(one.severity)}, {"what", one.what}};
  core::put(json, "where", one.where, {});
  core::put(json, "right", one.right, {});
  return json;
}

void printAsJson(const ChosenPlan& chosen, const core::Analysis& analysis) {
  const core::Graph& graph = *chosen.plan->graph;
  Json dimensions = Json::object(), diagnostics = Json::array();
  for (const core::Dim& dim : graph.dims) dimensions[dim.name] = dim.size == 0 ? Json(nullptr) : Json(dim.size);
  for (const Diagnostic& one : analysis.diagnostics) diagnostics.push_back(diagnosticJson(one));
  fmt::print("{}", core::printJson({{"format", "meshwright.check/1"},
                                    {"plan", chosen.plan->name},
                                    {"variant", chosen.chosen().name},
                                    {"ok", !core::hasErrors(analysis.diagnostics)},
                                    {"parameters", graph.parameterCount()},
                                    {"dimensions", std::move(dimensions)},
                                    {"tensors", graph.tensors.size()},
                                    {"operators", graph.operators.size()},
                                    {"notes", analysis.notes},
                                    {"importNotes", chosen.plan->importNotes},
                                    {"diagnostics", std::move(diagnostics)}}));
}

void printForPeople(const ChosenPlan& chosen, const core::Analysis& analysis) {
  const core::Graph& graph = *chosen.plan->graph;
  fmt::print("{}\n", describe(chosen));
  fmt::print("{} operators, {} tensors, {} parameters\n", core::countText(static_cast<std::int64_t>(graph.operators.size())),
             core::countText(static_cast<std::int64_t>(graph.tensors.size())), core::countText(graph.parameterCount()));
  Table dimensions({"dimension", "size"}, {Table::Side::left, Table::Side::right});
  for (const core::Dim& dim : graph.dims) dimensions.row({dim.name, dim.size == 0 ? "not bound" : core::countText(dim.size)});
  fmt::print("{}", dimensions.text());
  for (const std::string& note : chosen.plan->importNotes) fmt::print("import: {}\n", note);
  fmt::print("{}\n", core::hasErrors(analysis.diagnostics) ? "This plan has errors." : "This plan is legal.");
}

int check(const Options& options) {
  const ChosenPlan chosen = choose(options.plan);
  const core::Analysis analysis = core::analyze(chosen.plan, chosen.variant);
  printNotes(chosen, analysis);
  if (options.json)
    printAsJson(chosen, analysis);
  else
    printForPeople(chosen, analysis);
  return core::hasErrors(analysis.diagnostics) ? differs : done;
}

std::function<int()> declareCheck(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  declare(arguments, options->plan);
  arguments.flag("--json", options->json, "the findings as JSON");
  return [options] { return check(*options); };
}

}  // namespace

Verb checkVerb() { return {"check", "Says what a plan holds and what is wrong with it.", declareCheck}; }

}  // namespace app
