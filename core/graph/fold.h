#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/graph/graph.h"

// A graph as a person reads it: groups by scope, and equal blocks one behind another as one stack.
//
//   embedding   h.0{ln_1 attn{..} ln_2 mlp{..}}  h.1{..}  h.2{..}  h.3{..}   ln_f
//   becomes     embedding   [h ×4]   ln_f       and h.0 is what the stack shows
//
// Blocks are found by a structural hash and then verified: same kinds, attributes, shapes and wiring. Where a graph
// has no scopes, repeats are guessed from the order of its operators. Groups never change what the graph means.

namespace core {

using GroupId = Id<struct GroupTag>;
using StackId = Id<struct StackTag>;

// What a group holds: an operator, another group, or a stack of equal groups.
struct FoldItem {
  enum class Kind : std::uint8_t { op, group, stack };
  Kind kind = Kind::op;
  std::int32_t index = -1;
  OperatorId op() const { return kind == Kind::op ? OperatorId(index) : OperatorId(); }
  GroupId group() const { return kind == Kind::group ? GroupId(index) : GroupId(); }
  StackId stack() const { return kind == Kind::stack ? StackId(index) : StackId(); }
  bool operator==(const FoldItem&) const = default;
};

struct Group {
  std::string name;             // shown: "attn", "h.0", "block 3"
  std::string path;             // stable and unique: the scope, or "block/3" of a guess
  GroupId parent;               // invalid for the root
  StackId stack;                // of which it is an instance
  int instance = 0;             // ... the how-many-th
  std::vector<FoldItem> items;  // in the order of their first operators
  std::vector<OperatorId>
      operators;  // all within, nested ones too, in the graph's order; equal instances correspond one to one
  bool guessed = false;
  bool operator==(const Group&) const = default;
};

// A value that each instance hands to the next: a residual stream.
struct Carried {
  TensorId into;  // what instance 0 reads, made outside
  std::vector<TensorId>
      out;  // what each instance makes and the next one reads; the last one's is read behind the stack, if at all
  bool operator==(const Carried&) const = default;
};

struct Stack {
  std::string name;  // "h", "block"
  std::string path;
  GroupId parent;
  std::vector<GroupId> instances;  // in order
  std::vector<Carried> carried;    // empty: side by side, as experts are
  bool operator==(const Stack&) const = default;
};

struct Fold {
  std::vector<Group> groups;  // [0] is the root: the whole graph
  std::vector<Stack> stacks;
  std::vector<GroupId> groupOf;     // per operator: the innermost group
  std::vector<std::string> labels;  // per operator: its name in its group, "c_attn", "MatMul"
  bool operator==(const Fold&) const = default;

  const Group& operator[](GroupId id) const { return groups[id.index()]; }
  const Stack& operator[](StackId id) const { return stacks[id.index()]; }
  const Group& root() const { return groups.front(); }
};

// Linear in the graph but for a sort; a cycle in the scopes (a scope left and entered again) is no problem.
Fold fold(const Graph& graph);

// What crosses the border of a set of operators (sorted), each tensor once.
struct Boundary {
  std::vector<TensorId> inputs;   // values and inputs made outside and read inside
  std::vector<TensorId> states;   // states and constants read inside
  std::vector<TensorId> outputs;  // made inside and read outside, or an output of the graph
  bool operator==(const Boundary&) const = default;
};
Boundary boundaryOf(const Graph& graph, std::span<const OperatorId> operators);

// Whether two blocks of operators are the same but for names: kinds, attributes, shapes, wiring; each list in
// corresponding order.
bool equalBlocks(const Graph& graph, std::span<const OperatorId> a, std::span<const OperatorId> b);

// "24 × h (12 operators each)": the stacks, outermost first; for an import report.
std::vector<std::string> describeStacks(const Fold& fold);

// Indented tree, for tests.
std::string print(const Fold& fold);

}  // namespace core
