#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"
#include "core/tdl/expression.h"

// Builds a graph operator by operator; each call checks shapes and types and throws Error naming the operator.
//
//   GraphBuilder build;
//   TensorId x = build.input("x", "batch:8 in:4");
//   TensorId w = build.parameter("w", "in:4 out:6");
//   TensorId y = build.einsum({x, w}, "batch out");

namespace core {

struct TensorType;
struct SlidingWindow;

class GraphBuilder {
 public:
  GraphBuilder() = default;
  explicit GraphBuilder(Graph graph) : graph_(std::move(graph)) {}

  const Graph& graph() const { return graph_; }
  Graph take() { return std::move(graph_); }

  // Dimensions. "batch:8 in:4"; a name that the graph has may stand without its size; "n:?" is unbound.
  DimId dim(std::string_view name, std::int64_t size);      // found or made; Error when it has another size
  DimId newDim(std::string_view base, std::int64_t size);   // made; base, base_2, base_3 ...
  Shape shape(std::string_view text);

  // Names of what follows stand under scope: "decoder/layer_3". The default name of an operator is its kind, made unique.
  void pushScope(const std::string& scope);
  void popScope();
  void nextName(const std::string& name);                   // of the next operator made, whole (no scope put before)

  TensorId input(const std::string& name, const Shape& shape, DType dtype = DType::f32);
  TensorId input(const std::string& name, std::string_view shape, DType dtype = DType::f32);
  TensorId state(const std::string& name, const Shape& shape, DType dtype, StateKind kind, Source source);
  TensorId parameter(const std::string& name, const Shape& shape, std::optional<Source> source = {}, DType dtype = DType::f32);  // default: the initializer that design section 9 names
  TensorId parameter(const std::string& name, std::string_view shape, DType dtype = DType::f32);
  TensorId constant(const std::string& name, const Shape& shape, DType dtype, Source source);
  TensorId scalar(double value, DType dtype = DType::f32);  // a constant without dimensions

  // Any operator of the table. Output tensors are named like the operator (":1", ":2" behind further ones).
  std::vector<TensorId> add(const std::string& kind, std::vector<TensorId> inputs, Attributes attributes = {});
  TensorId addOne(const std::string& kind, std::vector<TensorId> inputs, Attributes attributes = {});
  // What the catalogue lacks: shown, priced as replicated, refuses to run.
  std::vector<TensorId> opaque(const std::string& type, std::vector<TensorId> inputs, const std::vector<Shape>& outputs, const std::vector<DType>& dtypes, Attributes attributes = {});

  // Elementwise, broadcasting by name: the output has the union of the dimensions, those of the operand with most first.
  TensorId unary(Function function, TensorId x);
  TensorId unary(Function function, TensorId x, double alpha);            // elu, leakyRelu
  TensorId binary(Function function, TensorId a, TensorId b);
  TensorId plus(TensorId a, TensorId b) { return binary(Function::add, a, b); }
  TensorId minus(TensorId a, TensorId b) { return binary(Function::subtract, a, b); }
  TensorId times(TensorId a, TensorId b) { return binary(Function::multiply, a, b); }
  TensorId over(TensorId a, TensorId b) { return binary(Function::divide, a, b); }
  TensorId binary(Function function, TensorId a, double b);               // the number takes a's type
  TensorId binary(Function function, double a, TensorId b);
  TensorId times(TensorId a, double b) { return binary(Function::multiply, a, b); }
  TensorId plus(TensorId a, double b) { return binary(Function::add, a, b); }
  TensorId select(TensorId condition, TensorId yes, TensorId no);
  TensorId select(TensorId condition, TensorId yes, double no);
  TensorId select(TensorId condition, double yes, TensorId no);
  TensorId cast(TensorId x, DType dtype);
  TensorId broadcast(TensorId x, const Shape& shape);                     // shape holds all dimensions of x

  TensorId einsum(std::vector<TensorId> inputs, const Shape& output);     // dimensions of inputs that output lacks are summed over
  TensorId einsum(std::vector<TensorId> inputs, std::string_view output);
  TensorId reduce(Reduction reduction, TensorId x, const Shape& over);
  TensorId sum(TensorId x, const Shape& over) { return reduce(Reduction::sum, x, over); }
  TensorId mean(TensorId x, const Shape& over);
  TensorId transpose(TensorId x, const Shape& order);
  TensorId rename(TensorId x, DimId from, DimId to);                      // equal sizes
  TensorId split(TensorId x, DimId dim, const Shape& into);               // major to minor; sizes multiply to dim's
  TensorId merge(TensorId x, const Shape& dims, DimId into);              // dims neighbours in x, major to minor
  TensorId slice(TensorId x, DimId dim, DimId into, std::int64_t start, std::int64_t step = 1);
  TensorId pick(TensorId x, DimId dim, std::int64_t index);               // one index of dim, which goes
  TensorId pad(TensorId x, DimId dim, DimId into, std::int64_t low, double value = 0);  // into's size >= low + dim's size
  TensorId concat(std::vector<TensorId> xs, const Shape& dims, DimId into);  // dims[i]: of xs[i] the dimension that is joined
  TensorId iota(DimId dim, DType dtype = DType::i64);
  TensorId gather(TensorId table, DimId rows, TensorId ids);              // ids' dimensions stand where rows stood; embedding
  TensorId scatterAdd(TensorId ids, TensorId updates, const Shape& idDims, DimId rows);  // out[rows, rest] = sum over ids' dims
  TensorId softmax(TensorId x, DimId dim);
  TensorId logSoftmax(TensorId x, DimId dim);
  // Image, weights, the dimensions of the result in their order (windows.h).
  TensorId convolution(TensorId x, TensorId w, const Shape& output, const std::vector<SlidingWindow>& windows);
  TensorId convolutionTranspose(TensorId x, TensorId w, const Shape& output, const std::vector<SlidingWindow>& windows);
  TensorId pool(Reduction reduction, TensorId x, const std::vector<SlidingWindow>& windows);  // sum or max
  TensorId layerNorm(TensorId x, const Shape& over, TensorId scale, TensorId bias, double epsilon);  // invalid ids = none
  TensorId rmsNorm(TensorId x, const Shape& over, TensorId scale, double epsilon);
  TensorId crossEntropy(TensorId logits, DimId classes, TensorId labels); // per position; labels integer
  TensorId uniform(const Shape& shape, const std::string& seedName, DType dtype = DType::f32);
  TensorId dropout(TensorId x, double rate, const std::string& seedName);

  void update(TensorId state, TensorId value);
  void output(TensorId x);

  Graph& edit() { return graph_; }

  // A name near the wanted one that neither tensor nor operator has.
  std::string uniqueName(const std::string& wanted);
  // Another name for what stands already; Error when it is taken.
  void renameTensor(TensorId tensor, const std::string& name);

 private:
  std::string operatorName(const std::string& kind);
  TensorId leaf(Tensor tensor);
  std::vector<TensorId> append(Operator op, const std::vector<TensorType>& types);

  Graph graph_;
  std::vector<std::string> scopes_;
  std::optional<std::string> nextName_;
  std::map<std::string, DimId, std::less<>> dims_;
  std::map<std::string, int, std::less<>> taken_;
  bool indexed_ = false;
  void index();
};

}  // namespace core
