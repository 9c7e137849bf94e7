#pragma once

#include "core/graph/graph.h"
#include "core/io/import.h"
#include "core/io/naming/name.h"
#include "core/io/onnx_walk.h"

namespace core {

struct Emission {
  Graph graph;
  std::map<std::string, std::map<std::string, std::int64_t>> opaque;  // type -> reason -> count
  std::map<std::string, std::int64_t> kinds;                          // type -> count
  std::int64_t renames = 0;
  std::int64_t reshapes = 0;
  std::vector<std::string> notes;
  std::vector<TensorId> tensors;                // per value of the model; invalid where none was made
  std::map<naming::AtomId, DimId> dims;         // of leaves
};

// The graph, operator by operator. Reshapes, transposes and squeezes vanish where names say the same.
Emission emit(const positional::Model& model, const Walk& walk, const naming::Names& names, const naming::Dictionary& dictionary);

}  // namespace core
