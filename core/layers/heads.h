#pragma once

#include <cstdint>
#include <string>

#include "core/ops/builder.h"

namespace core {

// Heads of queries, and those of keys and values that several of them share (Ainslie et al., "GQA", 2023):
//
//   32 heads, 32 of keys:  queries [heads:32]           keys and values [heads]
//   32 heads, 8 of keys:   queries [kv_heads:8 group:4] keys and values [kv_heads]; a rule on heads means kv_heads
//   32 heads, 1 of keys:   queries [heads:32]           keys and values [] (one head for all)
struct Heads {
  Shape queries, keys;
};
Heads headsOf(GraphBuilder& build, std::int64_t heads, std::int64_t keyHeads);

}  // namespace core
