#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/graph/graph.h"
#include "core/layout/sharding.h"
#include "core/mesh/mesh.h"

// What a person or a search chose. Pin > rule > choice > propagation > replicated.

namespace core {

// A dimension of the whole graph over axes, major first.
struct Rule {
  std::string dimension;
  std::vector<std::string> axes;
  bool operator==(const Rule&) const = default;
};

// One tensor's sharding, by name or glob ("h.*.c_fc.weight"). A dimension that is not named is whole; no dimensions = keep whole.
struct Pin {
  std::string tensor;
  std::vector<Rule> dims;
  bool operator==(const Pin&) const = default;
};

// One operator's loop over axes; written by searches.
struct Choice {
  std::string op;
  std::string loop;
  std::vector<std::string> axes;
  bool operator==(const Choice&) const = default;
};

struct Layout {
  std::vector<Rule> rules;
  std::vector<Pin> pins;
  std::vector<Choice> choices;

  // "batch:data;heads:model"; the same dimension twice = both axes, major first: "batch:a;batch:b". Error when it is not of that form.
  static Layout of(std::string_view meshTensorflow);
  bool operator==(const Layout&) const = default;
};

std::string printMeshTensorflow(const Layout& layout);  // rules only

// Every rule, pin and choice that names no dimension, axis or tensor of graph and mesh, and every tensor on which
// an axis would split two dimensions. `elsewhere` names dimensions or tensors that exist in another kind of step: a note, no error.
std::vector<Diagnostic> check(const Layout& layout, const Graph& graph, const Mesh& mesh, const Graph* elsewhere = nullptr);

}  // namespace core
