#include "core/plan/analyze.h"

#include <algorithm>
#include <map>

#include "core/plan/step_graph.h"
#include "core/spmd/partition.h"
#include "core/spmd/roll.h"

namespace core {
namespace {

Diagnostic asDiagnostic(const Error& error) { return {error.what, error.where, error.right}; }

// Dimensions that have to have a size before anything can be worked out.
void checkSizes(const Graph& graph, std::vector<Diagnostic>& found) {
  for (const Dim& dim : graph.dims)
    if (dim.size < 1) found.push_back({"dimension '" + dim.name + "' has no size yet", dim.name, "bind it: --dim " + dim.name + "=8, or type it in the layout panel"});
}

// A loop over fewer indices than devices leaves some of them idle: legal, and worth saying.
void checkIdle(const Graph& graph, const Variant& variant, std::vector<Diagnostic>& found) {
  for (const Rule& rule : variant.layout.rules) {
    const auto dim = graph.findDim(rule.dimension);
    if (!dim) continue;
    std::int64_t devices = 1;
    for (const std::string& axis : rule.axes)
      if (const auto id = variant.mesh.find(axis)) devices *= variant.mesh.size(*id);
    const std::int64_t size = graph.size(*dim), block = (size + devices - 1) / devices;
    const std::int64_t busy = (size + block - 1) / block;
    if (busy < devices)
      found.push_back({std::to_string(devices - busy) + " of " + std::to_string(devices) + " devices get nothing of '" + rule.dimension + "', whose size is " + std::to_string(size), "rule " + rule.dimension, "an axis of at most " + std::to_string(size), Diagnostic::Severity::warning});
    else if (size % devices != 0)
      found.push_back({std::to_string(size) + " '" + rule.dimension + "' do not divide by " + std::to_string(devices) + ": " + std::to_string(block) + " a device, " + std::to_string(block * devices - size) + " of them padding", "rule " + rule.dimension, "", Diagnostic::Severity::note});
  }
}

// What the catalogue lacks: counted by the type that the file gives it.
void checkKnown(const Graph& graph, std::vector<Diagnostic>& found) {
  std::map<std::string, std::pair<std::int64_t, std::string>> unknown;  // how many, and the first
  for (const Operator& op : graph.operators) {
    if (op.kind != "opaque") continue;
    const auto type = op.attributes.find("type");
    auto& [count, first] = unknown[type == op.attributes.end() ? op.name : std::get<std::string>(type->second)];
    if (count++ == 0) first = op.name;
  }
  for (const auto& [type, one] : unknown)
    found.push_back({std::to_string(one.first) + (one.first == 1 ? " operator" : " operators") + " of type " + type + (one.first == 1 ? " is" : " are") + " not known here: without flops or seconds in the estimate, and no run", one.second,
                     "operators that meshwright-cli ops lists", Diagnostic::Severity::warning});
}

std::vector<Diagnostic> checkLayout(const Variant& variant, const std::shared_ptr<const Graph>& forward, const Graph& step) {
  std::vector<Diagnostic> found = check(variant.layout, step, variant.mesh);
  if (found.empty()) return found;
  Step other = variant.step;
  other.training = !other.training;
  try {
    return check(variant.layout, step, variant.mesh, stepGraph(forward, other).graph.get());
  } catch (const Error&) {
    return found;  // a graph that cannot be trained has no other kind of step to look in
  }
}

void work(const Plan& plan, const Variant& variant, Analysis& analysis) {
  checkSizes(*plan.graph, analysis.diagnostics);
  if (!variant.machine.empty()) analysis.machine = std::make_shared<const Machine>(readMachine(variant.machine));
  if (hasErrors(analysis.diagnostics)) return;
  StepGraph step = stepGraph(plan.graph, variant.step);
  analysis.notes = std::move(step.notes);
  for (const Diagnostic& one : checkLayout(variant, plan.graph, *step.graph)) analysis.diagnostics.push_back(one);
  if (hasErrors(analysis.diagnostics)) return;
  checkIdle(*step.graph, variant, analysis.diagnostics);
  checkKnown(*step.graph, analysis.diagnostics);
  Partitioned partitioned = partition(*step.expanded, variant.layout, variant.mesh, {.loss = step.loss});
  analysis.step = step.expanded;
  analysis.layouts = std::move(partitioned.layouts);
  analysis.program = std::make_shared<const Program>(std::move(partitioned.program));
  analysis.cost = estimate(*analysis.program, analysis.machine.get());
}

}  // namespace

Analysis analyze(std::shared_ptr<const Plan> plan, std::size_t variant) {
  Analysis analysis{.plan = plan, .variant = variant};
  try {
    work(*plan, plan->variants.at(variant), analysis);
  } catch (const Error& error) {
    analysis.diagnostics.push_back(asDiagnostic(error));
    analysis.program.reset();
    analysis.cost.reset();
  }
  return analysis;
}

Analysis flattened(Analysis analysis) {
  const auto repeats = [](const Instruction& one) { return one.kind == InstructionKind::repeat; };
  if (!analysis.program || std::none_of(analysis.program->instructions.begin(), analysis.program->instructions.end(), repeats)) return analysis;
  analysis.program = std::make_shared<const Program>(flatten(*analysis.program));
  analysis.cost = estimate(*analysis.program, analysis.machine.get());
  return analysis;
}

}  // namespace core
