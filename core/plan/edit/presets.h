#pragma once

#include <optional>
#include <string>

#include "core/plan/plan.h"

// Layouts that people know by name, for the current variant's mesh and model.

namespace core {

// The dimension that runs over examples, and the axis that a layout by examples uses, found by name and else by place.
std::optional<std::string> batchDimension(const Graph& graph);
std::optional<std::string> dataAxis(const Mesh& mesh);
std::optional<std::string> modelAxis(const Mesh& mesh);

// Every axis on the batch: parameters whole on each device.
Plan dataParallel(Plan plan);

// Shoeybi et al., "Megatron-LM", 2019: heads, feed-forward and vocabulary over the model axis, batch over the data
// axis.
Plan megatron(Plan plan);

}  // namespace core
