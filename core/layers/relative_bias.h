#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ops/builder.h"

namespace core {

// Positions as T5 has them (Raffel et al., 2020): a learned number a head for each bucket of distances. Near distances
// have buckets of their own, far ones share them, by their logarithm.
struct RelativeBias {
  DimId buckets;
  std::int64_t farthest = 128;  // distances from here on share the last bucket
  bool bothWays = true;         // half of the buckets for keys behind the query; else these count as distance 0
};

// The bucket of each distance below `farthest`.
std::vector<std::int64_t> distanceBuckets(std::int64_t buckets, std::int64_t farthest);

// Scores to add, [seq keys heads]. Parameter NAME.weight [buckets heads].
TensorId relativeBias(GraphBuilder& build, const std::string& name, DimId seq, DimId keys, DimId heads,
                      const RelativeBias& options);

}  // namespace core
