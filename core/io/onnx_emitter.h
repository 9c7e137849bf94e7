#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "core/io/onnx_emit.h"
#include "core/ops/builder.h"

// The state of emission, and what the operators' files share.

namespace core {

class Emitter {
 public:
  Emitter(const positional::Model& model, const Walk& walk, const naming::Names& names, const naming::Dictionary& dictionary);
  Emission run();

  const positional::Model& model;
  const Walk& walk;
  const naming::Names& names;
  const naming::Dictionary& dictionary;
  GraphBuilder build;
  Emission result;

  // The node at hand.
  struct Site {
    const positional::Node& node;
    const naming::Relation& relation;
    std::size_t inputs() const { return relation.operands.size(); }
    bool has(std::size_t i) const { return i < relation.operands.size() && relation.operands[i].value >= 0; }
  };

  TensorId operand(const Site& site, std::size_t i);                   // as the operator reads it, behind renames and merges
  std::optional<double> number(const Site& site, std::size_t i) const;  // of an operand that is one known element
  positional::DataPtr data(const Site& site, std::size_t i) const;                 // of an input that is known
  DType outputType(const Site& site, std::size_t i = 0) const;
  const positional::Sizes& sizesOf(int value) const;                               // Error where it is left out

  DimId dim(naming::AtomId leaf);
  DimId unit(const Shape& taken);          // of size 1, none of these
  Shape shape(const naming::Axis& axis);   // leaves
  Shape shape(const naming::Axes& axes);
  Shape summed(const Site& site);          // all loops that the result lacks
  TensorId ordered(TensorId x, const Shape& order);  // transposed where it must be
  TensorId take(TensorId x, const naming::Taking& taking);
  void nameNext(const Site& site) { build.nextName(nameOf(site.node)); }  // the next operator is what the node is for

 private:
  TensorId tensorOf(int value);
  TensorId stored(int value);
  TensorId convert(TensorId x, const naming::Axis& from, const naming::Axis& to);
  void node(const naming::Relation& relation);
  void opaque(const Site& site, const std::string& why);
  void outputs();
  Source sourceOf(const positional::Value& value, const positional::DataPtr& known);
  std::string nameOf(const positional::Node& node) const;
  bool varies(naming::AtomId leaf) const { return varying_.count(leaf) > 0; }

  std::vector<TensorId> tensors_;
  std::map<naming::AtomId, DimId> dims_;
  std::set<naming::AtomId> varying_;
  Shape units_;
  std::map<std::tuple<TensorId, naming::Axis, naming::Axis>, TensorId> converted_;
  std::set<int> statistics_;
  std::map<int, double> untrained_;  // of norms' parameters: their values where the file has none
};

// Makes what a node computes; nothing for a node that these rules lack. May throw Error: the node then is opaque.
using EmitRule = std::vector<TensorId> (*)(Emitter& emitter, const Emitter::Site& site);
const std::map<std::string, EmitRule>& emitElements();
const std::map<std::string, EmitRule>& emitShapes();
const std::map<std::string, EmitRule>& emitProducts();
const std::map<std::string, EmitRule>& emitWindows();
const std::map<std::string, EmitRule>& emitIndices();
const std::map<std::string, EmitRule>& emitResize();
const std::map<std::string, EmitRule>& emitRecurrent();

}  // namespace core
