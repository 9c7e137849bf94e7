#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/cost/cost.h"
#include "core/layout/tensor_layouts.h"
#include "core/plan/plan.h"
#include "core/spmd/program.h"

namespace core {

struct Analysis {
  std::shared_ptr<const Plan> plan;    // the snapshot that was analysed
  std::size_t variant = 0;
  std::vector<Diagnostic> diagnostics; // with an error among them there is no program
  std::vector<std::string> notes;      // defaults that were used: loss, data, optimizer
  std::shared_ptr<const Graph> step;   // the graph of one step: forward, or forward, backward and update
  TensorLayouts layouts;               // per tensor of `step`
  std::shared_ptr<const Program> program;
  std::shared_ptr<const Machine> machine;
  std::optional<Cost> cost;
};

// Never throws for a wrong plan: what is wrong stands in `diagnostics`. Does not search. Pure.
Analysis analyze(std::shared_ptr<const Plan> plan, std::size_t variant);

// The same with each layer for itself, as a person looks at it: no repeats in the program and its cost.
Analysis flattened(Analysis analysis);

}  // namespace core
