#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/autodiff/step.h"
#include "core/base/error.h"
#include "core/graph/graph.h"
#include "core/layout/layout.h"
#include "core/mesh/machine.h"
#include "core/mesh/mesh.h"

// All that is saved. Everything else is derived from it.

namespace core {

// What is fed: synthetic (learnable, from the seed), the bytes of a text file, or arrays (NAME.npy in a folder).
struct Data {
  enum class Kind : std::uint8_t { synthetic, text, arrays };
  Kind kind = Kind::synthetic;
  std::string path;
  bool operator==(const Data&) const = default;
};

// The unit that is compared, searched and run.
struct Variant {
  std::string name;  // "A", "B" ...
  Mesh mesh;
  Layout layout;
  Step step;
  Data data;
  std::string machine;  // name or file; empty = none: bytes only, no seconds
  bool operator==(const Variant&) const = default;
};

struct Plan {
  std::string name;
  std::shared_ptr<const Graph> graph;  // the model, forward
  std::string origin;                  // file that it was imported from; empty for a drawn one
  std::vector<std::string> importNotes;
  std::vector<Variant> variants;       // at least one
  std::size_t current = 0;
  std::vector<std::string> runs;       // folders of runs that were started from it
  bool operator==(const Plan& other) const;  // graphs compared by value
  const Variant& variant() const { return variants[current]; }
};

}  // namespace core
