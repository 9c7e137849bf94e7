#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/graph/graph.h"
#include "core/mesh/mesh.h"

// A graph as files have it: axes by position, no names. What an importer reads before naming.
//
//   x[8,24] W[64,24] --Gemm(transB=1)--> y[8,64]

namespace core::positional {

using Sizes = std::vector<std::int64_t>;

// A value that is known at import: shapes, indices, masks, scalars. Either integers (and booleans) or reals are filled,
// one an element, row-major.
struct Data {
  DType dtype = DType::i64;
  Sizes sizes;
  std::vector<std::int64_t> integers;
  std::vector<double> reals;
  bool operator==(const Data&) const = default;

  bool floating() const { return isFloating(dtype); }
  std::size_t count() const { return floating() ? reals.size() : integers.size(); }
  double at(std::size_t i) const { return floating() ? reals[i] : static_cast<double>(integers[i]); }
};
using DataPtr = std::shared_ptr<const Data>;

// A tensor or a graph as an attribute. Graphs (If, Loop, Scan) are not read: only that there is one.
struct Subgraph {
  bool operator==(const Subgraph&) const = default;
};
using AttributeValue = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>,
                                    std::vector<std::string>, int, Subgraph>;  // int: the value (an index into Model::values) that a tensor attribute became

struct Node {
  std::string name;
  std::string type;    // "MatMul"
  std::string domain;  // "" for ONNX's own
  std::int64_t opset = 0;  // of its domain, where it stands
  std::map<std::string, AttributeValue> attributes;
  std::vector<int> inputs;  // -1 = left out
  std::vector<int> outputs;

  std::int64_t integer(const std::string& name, std::int64_t missing) const;
  double real(const std::string& name, double missing) const;
  std::string text(const std::string& name, const std::string& missing) const;
  std::optional<std::vector<std::int64_t>> integers(const std::string& name) const;
  int input(std::size_t i) const { return i < inputs.size() ? inputs[i] : -1; }
};

struct Value {
  enum class Kind { made, input, initializer };
  std::string name;
  Kind kind = Kind::made;
  DType dtype = DType::f32;
  bool typeKnown = false;
  std::optional<Sizes> sizes;         // -1 = not known; nothing = rank not known
  std::vector<std::string> symbols;   // of an input: per axis its symbol, or ""
  Source source;                      // of an initializer: where its bytes are
  DataPtr data;                       // of an initializer that stands in the message itself
  bool isConstant = false;            // was a Constant node: never a parameter
  bool isFed = false;                 // of an input: data, whatever its name looks like
  std::optional<double> untrained;    // of one without values: all its elements before anything is learned
  bool isStatistic = false;           // gathered, not learned by gradients
  std::optional<std::vector<std::vector<std::string>>> sharding;  // where the file says so: the axes of Model::mesh of each axis, major first
  int producer = -1;                  // node
  int producerOutput = 0;
};


struct Model {
  std::string format = "ONNX";
  std::string producerName;
  std::vector<MeshAxis> mesh;  // major first; empty where the file names none
  std::int64_t opset = 0;
  std::map<std::string, std::int64_t> opsets;
  std::vector<Value> values;
  std::vector<Node> nodes;       // each after those that make its inputs
  std::vector<int> inputs;       // without initializers
  std::vector<int> outputs;
  std::int64_t fileNodes = 0;    // as counted in the file, before functions were inlined
  std::vector<std::string> missingFiles;  // data that are not there: the tensor, a line break, the file
  std::vector<std::string> notes;
};

std::int64_t product(const Sizes& sizes);  // Error when it overflows 62 bits

}  // namespace core::positional
