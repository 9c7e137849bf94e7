#pragma once

#include <vector>

#include "executor/collectives/prepared.h"

namespace executor {

// A redistribute on one rank: core/spmd/redistribute.h says which elements, this says where they lie. A message holds its boxes or runs
// one after the other without gaps.
struct ExchangePlan {
  std::vector<BoxCopy> pack, unpack, keep;
  std::vector<PeerSlice> sends, receives;
  bool fillsIdentity = false;
};
ExchangePlan planExchange(const core::Buffer& from, const core::Buffer& to, const core::Mesh& mesh, std::int64_t rank);

// Who a rank sends its whole block to, and whose it gets, in a collective-permute: members that hold a block are matched with those
// that need it, a member with itself where it can be, else in order.
struct PermutePartners {
  std::int64_t destination = 0;
  std::int64_t source = 0;
};
PermutePartners permutePartners(const core::Buffer& from, const core::Buffer& to, const core::Mesh& mesh, const std::vector<std::int64_t>& group, std::int64_t rank);

}  // namespace executor
