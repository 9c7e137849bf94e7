#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/io/tensor_file.h"
#include "core/layout/layout.h"
#include "core/mesh/mesh.h"

// A model file becomes a graph with named dimensions.
//
//   Import found = importModel("gpt_bytes/model.onnx", {});
//   tokens [batch:8 seq:32], wte.weight [vocab:256 d_model:64], h.0.attn.c_attn.weight [qkv:3 heads:4 head_dim:16 d_model:64] ...

namespace core {

struct ImportOptions {
  std::map<std::string, std::int64_t> dims;  // sizes of the file's symbols: batch = 8
  std::map<std::string, TensorFile> values;  // inputs that become constants: those that decide sizes or axes have to
};

struct ImportReport {
  struct Operators {
    std::string type;
    std::int64_t count = 0;
    std::string reason;  // of unknown ones: what is missing
    bool operator==(const Operators&) const = default;
  };
  struct MissingWeights {
    std::string tensor;
    std::string file;  // that should hold it
    bool operator==(const MissingWeights&) const = default;
  };
  struct LostDimension {
    std::string tensor;
    int axis = 0;
    bool operator==(const LostDimension&) const = default;
  };
  struct Symbol {
    std::string name;
    std::int64_t size = 0;  // 0 = not bound
    std::string reason;     // "given", or where the file says so
    bool chosen = false;    // nobody gave it and the file does not say: it may well be another
    bool operator==(const Symbol&) const = default;
  };
  struct Repeat {
    std::string scope;  // "h.*"
    std::int64_t count = 0;
    bool operator==(const Repeat&) const = default;
  };

  std::string format;    // "ONNX", "HLO", "StableHLO", the family of a config.json
  std::string producer;  // "pytorch"
  std::int64_t opset = 0;
  std::int64_t fileOperators = 0;  // nodes in the file
  std::int64_t operators = 0;      // operators of the graph
  std::int64_t parameters = 0;     // elements of all parameters
  std::vector<Operators> kinds;    // operators of the file that became some of the graph, most frequent first
  std::vector<Operators> unknown;  // became opaque: shown and priced, refuse to run
  std::vector<std::string> deciding;  // inputs that decide sizes or axes of unknown ones: ImportOptions::values makes them known
  std::vector<MissingWeights> missing;
  std::vector<LostDimension> lost;  // axes of size 1 of the inputs: they carry no dimension
  std::vector<Symbol> symbols;
  std::int64_t renames = 0;   // one dimension read as another
  std::int64_t reshapes = 0;  // merges and splits that names could not replace
  std::vector<std::string> notes;  // what the fields above do not say
  std::optional<Repeat> repeat;
};

struct Import {
  std::shared_ptr<const Graph> graph;
  ImportReport report;
  Mesh mesh;      // as the file has it: HLO and Shardy; else one device
  Layout layout;  // its shardings, as pins
};

// What was found, in the order in which a person asks: sentences that a plan keeps.
std::vector<std::string> describe(const ImportReport& report);

// Error when the file is none that can be read: it names what the file is, and what would be right.
Import importModel(const std::string& path, const ImportOptions& options);

}  // namespace core
