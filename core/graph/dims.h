#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "core/graph/graph.h"

namespace core {

// The dimension of that name or alias; Error naming near ones.
DimId dimOf(const Graph& graph, std::string_view name);

// The same graph with one dimension under another name; the old one stays as an alias, so that rules go on meaning it.
Graph renameDim(const Graph& graph, std::string_view from, const std::string& to);

// The same graph with other sizes. Dimensions that operators derive from these follow: by split, merge, rename, concat,
// pad and slices that say what they leave off. Of a dimension that is split the first part that is free follows. Error,
// with its place, where sizes contradict each other or the values that a tensor holds.
//
//   d_model:48 split into heads:4 head_dim:12, heads = 8    d_model:96
Graph bindDims(const Graph& graph, const std::map<std::string, std::int64_t>& sizes);
Graph bindDim(const Graph& graph, std::string_view name, std::int64_t size);

}  // namespace core
