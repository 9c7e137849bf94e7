#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/graph/fold.h"

// The workings of fold(): operators as numbers, blocks as lists of them.

namespace core::folding {

// For each operator a number that is equal where kind, attributes, and shapes and types of inputs and outputs are.
std::vector<std::uint64_t> signatures(const Graph& graph);

// Of each tensor: which operator makes it (-1 = none) and as which of its outputs.
struct Producers {
  std::vector<std::int32_t> op;
  std::vector<std::int32_t> output;
  explicit Producers(const Graph& graph);
};

// Which operators are equal, as a number; and whether two corresponding blocks are wired alike.
class Blocks {
 public:
  explicit Blocks(const Graph& graph);
  std::uint64_t signature(OperatorId op) const { return signatures_[op.index()]; }
  // Of a block: over its operators' signatures and the wiring among them.
  std::uint64_t hash(std::span<const OperatorId> block) const;
  bool equal(std::span<const OperatorId> a, std::span<const OperatorId> b) const;
  // What each block of a run hands to the next, position by position; empty when they stand side by side.
  std::vector<Carried> carried(const std::vector<std::span<const OperatorId>>& run) const;
  // Whether, besides each block being equal, what links one to the next is the same all along.
  bool linkedAlike(const std::vector<std::span<const OperatorId>>& run) const;
  const Graph& graph() const { return graph_; }
  const Producers& producers() const { return producers_; }

 private:
  const Graph& graph_;
  std::vector<std::uint64_t> signatures_;
  Producers producers_;
  // Position of an operator in the block at hand; kept here so that a question costs by the block, not by the graph.
  mutable std::vector<std::int32_t> position_;
  mutable std::vector<std::int32_t> mark_;
  mutable std::int32_t stamp_ = 0;
};

// A repetition found in a sequence of numbers: `count` blocks of `period` items from `begin`.
struct Repeat {
  std::size_t begin = 0;
  std::size_t period = 0;
  std::size_t count = 0;
  std::size_t slack = 0;  // so many items further the same number of blocks could begin
  std::size_t covered() const { return (count - 1) * period; }
};

// All maximal repetitions worth a look, best coverage first; not verified.
std::vector<Repeat> repeats(std::span<const std::uint64_t> sequence);

}  // namespace core::folding
