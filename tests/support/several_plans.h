#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/io/import.h"
#include "core/io/plan_file.h"
#include "core/layers/gpt.h"
#include "core/plan/plan.h"

// A few plans that differ in what a layout meets: equal layers, a tied head, no mesh, an imported model, inference.

namespace tests {

inline core::Plan gptPlan(const core::GptSizes& sizes, const std::string& mesh, const std::string& layout, bool training) {
  core::Plan plan{.name = "gpt", .graph = std::make_shared<const core::Graph>(core::gpt(sizes))};
  plan.variants.push_back({.name = "A", .mesh = core::Mesh::of(mesh), .layout = core::Layout::of(layout), .step = {.training = training}});
  return plan;
}

inline std::vector<std::pair<std::string, core::Plan>> severalPlans() {
  const core::GptSizes sizes{.layers = 3, .modelSize = 64, .heads = 4, .vocab = 512, .seq = 64, .batch = 16};
  core::GptSizes tied = sizes;
  tied.tied = true;
  core::Plan imported{.name = "onnx", .graph = core::importModel(MESHWRIGHT_SOURCE "/samples/models/gpt_bytes.onnx", {}).graph};
  imported.variants.push_back({.name = "A", .mesh = core::Mesh::of("x:4"), .step = {.training = true}});
  return {{"data-parallel", gptPlan(sizes, "data:4,model:2", "batch:data", true)},
          {"tied", gptPlan(tied, "data:2,model:2", "batch:data;heads:model", true)},
          {"one device", gptPlan(sizes, "", "", true)},
          {"inference", gptPlan(sizes, "model:3", "", false)},
          {"sample", core::readPlan(MESHWRIGHT_SOURCE "/samples/plans/transformer.plan.json")},
          {"imported", imported}};
}

}  // namespace tests
