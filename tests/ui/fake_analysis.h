#pragma once

#include <algorithm>

#include "../core/plan/edit/small_plan.h"
#include "core/plan/analyze.h"

// An analysis that is quick to say and simple to predict: each axis in use halves the peak of 1000 bytes, and every
// rule costs one all-reduce. Two dimensions of one tensor on one axis are an error, as check() says.
inline core::Analysis fakeAnalysis(std::shared_ptr<const core::Plan> plan, std::size_t index) {
  using namespace core;
  Analysis found{.plan = plan, .variant = index, .step = plan->graph};
  const Variant& variant = plan->variants[index];
  found.diagnostics = check(variant.layout, *plan->graph, variant.mesh);
  if (hasErrors(found.diagnostics)) return found;
  std::vector<TensorLayout> layouts;
  for (const Tensor& tensor : plan->graph->tensors) {
    TensorLayout layout{Sharding::replicated(tensor.shape.size()), std::vector<Origin>(tensor.shape.size()),
                        "left whole"};
    for (std::size_t d = 0; d < tensor.shape.size(); ++d)
      for (const Rule& rule : variant.layout.rules)
        if (rule.dimension == (*plan->graph)[tensor.shape[d]].name) {
          for (const std::string& axis : rule.axes) layout.sharding.dims[d].push_back(*variant.mesh.find(axis));
          layout.origins[d] = Origin::rule;
          layout.reason = "rule " + rule.dimension;
        }
    layouts.push_back(layout);
  }
  found.layouts = std::move(layouts);
  std::int64_t parts = 1, rules = static_cast<std::int64_t>(variant.layout.rules.size());
  for (const Rule& rule : variant.layout.rules)
    for (const std::string& axis : rule.axes) parts *= variant.mesh.size(*variant.mesh.find(axis));
  DeviceCost device{.coordinate = Coordinate(variant.mesh.axes.size()), .devices = variant.mesh.devices()};
  device.peak.bytes = {1000 / parts, 0, 0, 1000 / parts, 0, 0};
  device.wireBytes = 64 * rules;
  if (rules > 0) device.traffic = {{.axes = {0}, .calls = rules, .payloadBytes = 64 * rules, .wireBytes = 64 * rules}};
  auto program = std::make_shared<Program>();
  program->mesh = variant.mesh;
  found.program = program;
  found.cost = Cost{.devices = {device}};
  return found;
}
