#pragma once

#include <string>

#include "core/ops/builder.h"

namespace core {

struct AttentionDims {
  DimId model;  // of x
  DimId seq;    // of x
  DimId keys;   // a second name for seq where it is summed over
  DimId heads;
  DimId headDim;
  bool bias = true;  // of queries, keys and values
};

// True where a place may look: at itself and at those before it, with a window at that many of them. [seq keys]
TensorId causalMask(GraphBuilder& build, const std::string& name, DimId seq, DimId keys, std::int64_t window = 0);

// Products of queries and keys, summed over what both have alone: [.. heads seq keys].
TensorId pairScores(GraphBuilder& build, const std::string& scope, TensorId q, TensorId k, DimId seq, DimId keys,
                    const Shape& summed);

// How scores become shares of the keys.
struct Sharing {
  double scale = 1;    // of the scores
  TensorId bias;       // added to them
  TensorId mask;       // true = looked at; none = all
  TensorId sinks;      // the score of a place without a value, [heads]: takes a share that nobody gets
  double dropout = 0;  // of the shares, in training
};

// Values mixed by shares; `scores` [.. heads seq keys], `v` [.. keys heads size] -> `out`.
TensorId mixValues(GraphBuilder& build, const std::string& scope, TensorId scores, TensorId v, DimId keys,
                   const Sharing& sharing, Shape out);

// Self-attention with parameters NAME.q, NAME.k, NAME.v, NAME.proj (weight and bias each). `mask` true = looked at;
// none = all.
TensorId attention(GraphBuilder& build, const std::string& name, TensorId x, const AttentionDims& dims, TensorId mask,
                   double dropout = 0);

}  // namespace core
