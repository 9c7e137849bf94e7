#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/arguments.h"
#include "core/plan/analyze.h"

// What every verb on a plan takes: which variant, and overrides of a copy of it, which is never saved.

namespace app {

struct PlanOptions {
  std::string plan;
  std::optional<std::string> variant, mesh, layout, machine, train, loss, precision, learningRate;
  std::vector<std::string> dims;
};

void declare(Arguments& arguments, PlanOptions& options);

struct ChosenPlan {
  std::shared_ptr<const core::Plan> plan;
  std::size_t variant = 0;
  std::vector<std::string> notes;  // what a file brought along, such as a layout's mesh
  const core::Variant& chosen() const { return plan->variants[variant]; }
};

// Reads the plan and puts the overrides on the chosen variant. Error for what cannot be read.
ChosenPlan choose(const PlanOptions& options);
core::Plan bind(core::Plan plan, const std::vector<std::string>& dims);  // "batch=8"

// The analysis with its program; with errors among the diagnostics an Error that names them all.
core::Analysis analyzeOrRefuse(const ChosenPlan& chosen);

// Operators that the catalogue lacks are shown and priced, but nothing can run them: Error naming them.
void requireRunnable(const core::Analysis& analysis);

// "gpt, variant A: mesh data:2,model:2 (4 devices), layout batch:data;heads:model, training with adam in f32"
std::string describe(const ChosenPlan& chosen);

// Diagnostics, defaults that were used: on standard error, a line each.
void printNotes(const ChosenPlan& chosen, const core::Analysis& analysis);

}  // namespace app
