#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/id.h"
#include "core/graph/dtype.h"

// A tensor program with named dimensions.
//
//   x   input      [batch:8 in:4]
//   W   parameter  [in:4 out:6]
//   y = einsum(x, W) -> [batch out]
//
// Operators stand in an order in which each comes after those that make its inputs.

namespace core {

using DimId = Id<struct DimTag>;
using TensorId = Id<struct TensorTag>;
using OperatorId = Id<struct OperatorTag>;

// A name and a size; one size a name. Size 0 = not bound yet (a symbol of the file).
struct Dim {
  std::string name;
  std::int64_t size = 0;
  bool operator==(const Dim&) const = default;
};

using Shape = std::vector<DimId>;  // never one dimension twice

using Attribute = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>,
                               std::vector<std::string>, Shape>;
using Attributes = std::map<std::string, Attribute>;

// What fills a state before the first step when no file does. Numbers are drawn from (seed, tensor name, global index).
struct Initializer {
  enum class Kind { constant, normal, uniform };
  Kind kind = Kind::constant;
  double first = 0;   // constant: the value; normal: mean; uniform: low
  double second = 0;  // normal: standard deviation; uniform: high
  bool operator==(const Initializer&) const = default;
};

// Bytes in a file, little-endian, row-major over the tensor's dimensions in their order.
struct FileSource {
  std::string path;            // as given; relative to the plan's folder
  std::int64_t fileBytes = 0;  // size of the whole file when it was imported
  std::int64_t offset = 0;     // where this tensor begins
  std::int64_t bytes = 0;
  DType stored = DType::f32;
  std::vector<std::uint64_t> chunkHashes;  // of this tensor's bytes, one per 16 MiB (core/base/hash.h)
  bool operator==(const FileSource&) const = default;
};

// Small values that live in the plan itself; shared, never changed.
struct InlineSource {
  std::shared_ptr<const std::vector<std::byte>> bytes;  // of the tensor's own dtype
  bool operator==(const InlineSource& other) const { return bytes == other.bytes || (bytes && other.bytes && *bytes == *other.bytes); }
};

using Source = std::variant<std::monostate, Initializer, FileSource, InlineSource>;

enum class TensorKind { value, input, constant, state };
enum class StateKind { parameter, slot, counter, statistic };

struct Tensor {
  std::string name;  // unique and stable: "h.0.attn.c_attn.weight", "grad/W", "adam.m/W"
  Shape shape;
  DType dtype = DType::f32;
  TensorKind kind = TensorKind::value;
  StateKind state = StateKind::parameter;  // of a state
  Source source;                           // of a state or constant
  OperatorId producer;                     // of a value
  bool operator==(const Tensor&) const = default;
};

struct Operator {
  std::string name;  // unique and stable; what stands before the last '/' is its scope
  std::string kind;  // a row of core/ops: "einsum"; "opaque" for what the catalogue lacks
  Attributes attributes;
  std::vector<TensorId> inputs;
  std::vector<TensorId> outputs;
  bool operator==(const Operator&) const = default;
};

// state <- value, done after the last read of the state in the step, in the state's own buffer.
struct Update {
  TensorId state;
  TensorId value;
  bool operator==(const Update&) const = default;
};

struct Graph {
  std::string name;
  std::vector<Dim> dims;
  std::vector<Tensor> tensors;
  std::vector<Operator> operators;
  std::vector<Update> updates;
  std::vector<TensorId> outputs;
  std::map<std::string, std::string> aliases;  // a compound or former dimension name -> the dimension that a rule on it means

  bool operator==(const Graph&) const = default;

  const Dim& operator[](DimId id) const { return dims[id.index()]; }
  const Tensor& operator[](TensorId id) const { return tensors[id.index()]; }
  const Operator& operator[](OperatorId id) const { return operators[id.index()]; }

  std::int64_t size(DimId id) const { return dims[id.index()].size; }
  std::vector<std::int64_t> sizes(TensorId id) const;
  std::int64_t elements(TensorId id) const;  // product of the sizes; 0 when one is not bound
  std::int64_t bytes(TensorId id) const;

  std::optional<DimId> findDim(std::string_view name) const;
  std::optional<TensorId> findTensor(std::string_view name) const;
  std::vector<TensorId> inputs() const;   // tensors of kind input, in order
  std::vector<TensorId> states() const;
  std::int64_t parameterCount() const;    // elements of all parameters, each tensor once
};

std::string_view scopeOf(std::string_view name);  // "decoder/layer_3/ffn/MatMul" -> "decoder/layer_3/ffn"
std::string_view toString(TensorKind kind);
std::string_view toString(StateKind kind);

// Which operators read a tensor, in order; one vector a tensor.
std::vector<std::vector<OperatorId>> consumers(const Graph& graph);

// One line a tensor or operator; for tests and `meshwright-cli program`.
std::string print(const Graph& graph);

}  // namespace core
