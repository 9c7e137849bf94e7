#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"
#include "core/tdl/expression.h"

// What an operator is. One file in core/ops makes one Op, one line in ops.cpp lists it.

namespace core {

class GraphBuilder;

// An operator where it stands: its shapes, types and attributes, read from the graph.
class OperatorView {
 public:
  OperatorView(const Graph& graph, const std::string& name, const std::string& kind, const Attributes& attributes, std::span<const TensorId> inputs)
      : graph_(graph), name_(name), kind_(kind), attributes_(attributes), inputs_(inputs) {}
  OperatorView(const Graph& graph, const Operator& op) : OperatorView(graph, op.name, op.kind, op.attributes, op.inputs) {}

  const Graph& graph() const { return graph_; }
  const std::string& name() const { return name_; }
  const std::string& kind() const { return kind_; }
  const Attributes& attributes() const { return attributes_; }
  std::size_t inputCount() const { return inputs_.size(); }
  TensorId input(std::size_t i) const;                        // Error when there are fewer
  Shape shape(std::size_t i) const { return graph_[input(i)].shape; }  // a copy: a gradient makes the graph grow
  DType dtype(std::size_t i) const { return graph_[input(i)].dtype; }
  std::int64_t size(DimId dim) const { return graph_.size(dim); }
  const std::string& dimName(DimId dim) const { return graph_[dim].name; }

  bool has(const std::string& attribute) const { return attributes_.count(attribute) != 0; }
  std::int64_t integer(const std::string& attribute) const;                    // Error when missing or of another type
  std::int64_t integer(const std::string& attribute, std::int64_t missing) const;
  double number(const std::string& attribute) const;
  double number(const std::string& attribute, double missing) const;
  const std::string& string(const std::string& attribute) const;
  const Shape& dims(const std::string& attribute) const;
  const std::vector<std::int64_t>& integers(const std::string& attribute) const;

 private:
  const Graph& graph_;
  const std::string& name_;
  const std::string& kind_;
  const Attributes& attributes_;
  std::span<const TensorId> inputs_;
};

// The graph is a copy being extended; `output gradients` may be none (an output that nobody's loss depends on).
struct GradientView {
  const OperatorView& op;
  std::span<const TensorId> outputs;
  std::span<const TensorId> outputGradients;  // invalid id = none
};

struct Op {
  std::string_view name;
  std::string_view summary;  // one sentence, for the catalogue
  std::string_view text;     // its expression in words of the description language, for the catalogue
  std::string_view domain;   // "math", "shape", "index", "nn", "random", "optimizer"

  // Exactly one of the two. An expression gives output shapes (the dims of the output loops), types, splits, cost and meaning;
  // an expansion builds operators that have one and returns its outputs.
  std::function<Expression(const OperatorView&)> expression;
  std::function<std::vector<TensorId>(GraphBuilder&, const OperatorView&)> expand;

  // For each input its gradient, or an invalid id where it has none. Built from operators. Missing for what only a backward step or an
  // optimizer does: it is not differentiated again.
  std::function<std::vector<TensorId>(GraphBuilder&, const GradientView&)> gradient;

  // Graphs with one such operator, small, with sizes that do and do not divide; inputs are what a test fills at random.
  std::function<std::vector<Graph>()> examples;
};

const Op& findOp(const std::string& kind);           // Error naming the nearest known one
bool isKnownOp(const std::string& kind);
std::span<const Op* const> allOps();                 // in the order of the table

// The bound expression of an operator of the graph; the operator must not be an expansion.
Expression expressionOf(const Graph& graph, const Operator& op);

}  // namespace core
