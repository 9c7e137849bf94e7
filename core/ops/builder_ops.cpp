#include "core/ops/builder.h"
#include "core/ops/elementwise.h"
#include "core/ops/windows.h"

// Short ways to operators of the table.

namespace core {
namespace {

std::string text(std::string_view view) {
  return std::string(view);
}

std::string reductionKind(Reduction reduction) {
  switch (reduction) {
    case Reduction::sum:
      return "reduce_sum";
    case Reduction::product:
      return "reduce_prod";
    case Reduction::max:
      return "reduce_max";
    case Reduction::min:
      return "reduce_min";
    case Reduction::logicalAnd:
      return "reduce_all";
    case Reduction::logicalOr:
      return "reduce_any";
  }
  return "reduce_sum";
}

}  // namespace

TensorId GraphBuilder::unary(Function function, TensorId x) {
  return addOne(text(kindOf(function)), {x});
}

TensorId GraphBuilder::unary(Function function, TensorId x, double alpha) {
  return addOne(text(kindOf(function)), {x}, {{"alpha", alpha}});
}

TensorId GraphBuilder::binary(Function function, TensorId a, TensorId b) {
  return addOne(text(kindOf(function)), {a, b});
}

TensorId GraphBuilder::binary(Function function, TensorId a, double b) {
  return addOne(text(kindOf(function)), {a}, {{"right", b}});
}

TensorId GraphBuilder::binary(Function function, double a, TensorId b) {
  return addOne(text(kindOf(function)), {b}, {{"left", a}});
}

TensorId GraphBuilder::select(TensorId condition, TensorId yes, TensorId no) {
  return addOne("select", {condition, yes, no});
}

TensorId GraphBuilder::select(TensorId condition, TensorId yes, double no) {
  return addOne("select", {condition, yes}, {{"no", no}});
}

TensorId GraphBuilder::select(TensorId condition, double yes, TensorId no) {
  return addOne("select", {condition, no}, {{"yes", yes}});
}

TensorId GraphBuilder::cast(TensorId x, DType dtype) {
  return addOne("cast", {x}, {{"dtype", text(toString(dtype))}});
}

TensorId GraphBuilder::broadcast(TensorId x, const Shape& shape) {
  return addOne("broadcast", {x}, {{"shape", shape}});
}

TensorId GraphBuilder::einsum(std::vector<TensorId> inputs, const Shape& output) {
  return addOne("einsum", std::move(inputs), {{"output", output}});
}

TensorId GraphBuilder::einsum(std::vector<TensorId> inputs, std::string_view output) {
  return einsum(std::move(inputs), shape(output));
}

TensorId GraphBuilder::reduce(Reduction reduction, TensorId x, const Shape& over) {
  return addOne(reductionKind(reduction), {x}, {{"dims", over}});
}

TensorId GraphBuilder::mean(TensorId x, const Shape& over) {
  return addOne("reduce_mean", {x}, {{"dims", over}});
}

TensorId GraphBuilder::transpose(TensorId x, const Shape& order) {
  return addOne("transpose", {x}, {{"order", order}});
}

TensorId GraphBuilder::rename(TensorId x, DimId from, DimId to) {
  return addOne("rename", {x}, {{"from", Shape{from}}, {"to", Shape{to}}});
}

TensorId GraphBuilder::split(TensorId x, DimId dim, const Shape& into) {
  return addOne("split", {x}, {{"dim", Shape{dim}}, {"into", into}});
}

TensorId GraphBuilder::merge(TensorId x, const Shape& dims, DimId into) {
  return addOne("merge", {x}, {{"dims", dims}, {"into", Shape{into}}});
}

TensorId GraphBuilder::slice(TensorId x, DimId dim, DimId into, std::int64_t start, std::int64_t step) {
  return addOne("slice", {x}, {{"dim", Shape{dim}}, {"into", Shape{into}}, {"start", start}, {"step", step}});
}

TensorId GraphBuilder::pick(TensorId x, DimId dim, std::int64_t index) {
  return addOne("pick", {x}, {{"dim", Shape{dim}}, {"index", index}});
}

TensorId GraphBuilder::pad(TensorId x, DimId dim, DimId into, std::int64_t low, double value) {
  return addOne("pad", {x}, {{"dim", Shape{dim}}, {"into", Shape{into}}, {"low", low}, {"value", value}});
}

TensorId GraphBuilder::concat(std::vector<TensorId> xs, const Shape& dims, DimId into) {
  return addOne("concat", std::move(xs), {{"dims", dims}, {"into", Shape{into}}});
}

TensorId GraphBuilder::iota(DimId dim, DType dtype) {
  return addOne("iota", {}, {{"dim", Shape{dim}}, {"dtype", text(toString(dtype))}});
}

TensorId GraphBuilder::gather(TensorId table, DimId rows, TensorId ids) {
  return addOne("gather", {table, ids}, {{"rows", Shape{rows}}});
}

TensorId GraphBuilder::scatterAdd(TensorId ids, TensorId updates, const Shape& idDims, DimId rows) {
  return addOne("scatter_add", {ids, updates}, {{"dims", idDims}, {"rows", Shape{rows}}});
}

TensorId GraphBuilder::convolution(TensorId x, TensorId w, const Shape& output, const std::vector<SlidingWindow>& windows) {
  Attributes attributes{{"output", output}};
  addWindows(attributes, windows);
  return addOne("convolution", {x, w}, std::move(attributes));
}

TensorId GraphBuilder::convolutionTranspose(TensorId x, TensorId w, const Shape& output, const std::vector<SlidingWindow>& windows) {
  Attributes attributes{{"output", output}};
  addWindows(attributes, windows);
  return addOne("convolution_transpose", {x, w}, std::move(attributes));
}

TensorId GraphBuilder::pool(Reduction reduction, TensorId x, const std::vector<SlidingWindow>& windows) {
  Attributes attributes{{"reduction", text(toString(reduction))}};
  addWindows(attributes, windows);
  return addOne("pool", {x}, std::move(attributes));
}

TensorId GraphBuilder::softmax(TensorId x, DimId dim) {
  return addOne("softmax", {x}, {{"dim", Shape{dim}}});
}

TensorId GraphBuilder::logSoftmax(TensorId x, DimId dim) {
  return addOne("log_softmax", {x}, {{"dim", Shape{dim}}});
}

TensorId GraphBuilder::layerNorm(TensorId x, const Shape& over, TensorId scale, TensorId bias, double epsilon) {
  std::vector<TensorId> inputs{x};
  if (scale.valid()) inputs.push_back(scale);
  if (bias.valid()) inputs.push_back(bias);
  return addOne("layer_norm", std::move(inputs),
                {{"dims", over},
                 {"epsilon", epsilon},
                 {"scale", std::int64_t{scale.valid()}},
                 {"bias", std::int64_t{bias.valid()}}});
}

TensorId GraphBuilder::rmsNorm(TensorId x, const Shape& over, TensorId scale, double epsilon) {
  std::vector<TensorId> inputs{x};
  if (scale.valid()) inputs.push_back(scale);
  return addOne("rms_norm", std::move(inputs), {{"dims", over}, {"epsilon", epsilon}});
}

TensorId GraphBuilder::crossEntropy(TensorId logits, DimId classes, TensorId labels) {
  return addOne("cross_entropy", {logits, labels}, {{"classes", Shape{classes}}});
}

TensorId GraphBuilder::uniform(const Shape& shape, const std::string& seedName, DType dtype) {
  return addOne("uniform", {}, {{"shape", shape}, {"seed", seedName}, {"dtype", text(toString(dtype))}});
}

TensorId GraphBuilder::dropout(TensorId x, double rate, const std::string& seedName) {
  return addOne("dropout", {x}, {{"rate", rate}, {"seed", seedName}});
}

}  // namespace core
