#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/io/naming/atoms.h"
#include "core/io/onnx_walk.h"
#include "core/io/positional.h"

// Ties the axes of a positional graph operator by operator, in one pass. What comes out says, for each operator that runs, how
// each operand is read and what its result's axes are; who emits needs nothing else of positions.

namespace core::naming {

// On the way into an operator an operand's atoms are read as others: one for one is a rename, several for one a merge, one for
// several a split. Where later ties make both sides equal, nothing happens.
struct Edit {
  Axis from;
  Axis to;
};

struct Operand {
  int value = -1;  // none: left out, or it only says how (a shape, axes, bounds)
  Axes axes;       // as the operator sees them, behind the edits
  std::vector<Edit> edits;
  bool parameter = false;
  bool fixed = false;  // a constant
};

// An index or a range taken from an axis.
struct Taking {
  Axis from;
  Axis to;  // empty: one index, and the axis goes
  std::int64_t start = 0;
  std::int64_t step = 1;
  std::int64_t leftOff = -1;  // elements behind the range, where they stay as many when the axis gets another size
};

struct Relation {
  int node = -1;
  bool opaque = false;
  std::string why;                // of an opaque one, where it is not just an operator that the catalogue lacks
  std::vector<Operand> operands;  // one an input
  std::vector<Axes> outputs;      // one an output
  std::vector<std::vector<Taking>> takings;  // per output: Split, Slice, Gather by a known index
  Axis added;                     // the new axis of a stack, an Expand, a Pad
  std::vector<Axis> summed;       // loops that the result lacks: contraction, reduction, softmax
  std::vector<std::vector<int>> labels;  // of a product: per operand and axis
  std::vector<int> outLabels;
};

struct Names {
  Atoms atoms;
  std::vector<Relation> relations;         // of the nodes that run, in order
  std::vector<std::optional<Axes>> axes;   // per value
  std::vector<Axis> indexed;               // per value: the axis that its integers count, where known
  std::map<std::string, AtomId> symbols;   // of the file
};

// A symbol that the graph says has one size only: walk again with it.
struct Rebind {
  std::string symbol;
  std::int64_t size;
  std::string where;
};

Names relate(const positional::Model& model, const Walk& walk);

}  // namespace core::naming
