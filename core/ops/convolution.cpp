#include "core/ops/builder.h"
#include "core/ops/catalogue.h"
#include "core/ops/example.h"
#include "core/ops/require.h"
#include "core/ops/windows.h"

// Products by name, as einsum's, in which one operand is read through windows; and the same the other way, from the result's side. Each is the
// other's gradient by the image, and a convolution of image and gradient is that of the weights, stride and dilation exchanged. Groups,
// batches and channels are dimensions like any: in both operands and the result, in one and the result, in both operands alone.
//
//   x [batch in h w], w [out in kh kw]: output [batch out p q]            of g groups: x [batch g in h w], w [g out in kh kw]

namespace core {
namespace {

// In an operand and not in the result: summed over.
Shape summed(const OperatorView& op, const std::vector<SlidingWindow>& windows, const Shape& output) {
  Shape over;
  const Shape image = without(op.shape(0), fromDims(windows));
  for (const Shape& dims : {image, op.shape(1)})
    for (DimId dim : dims)
      if (!holds(output, dim) && !holds(over, dim)) over.push_back(dim);
  return over;
}

void requireDims(const OperatorView& op, const std::vector<SlidingWindow>& windows, const Shape& output) {
  const Shape image = without(op.shape(0), fromDims(windows)), kernel = kernelDims(windows), into = intoDims(windows);
  for (DimId dim : output)
    if (!holds(image, dim) && !holds(op.shape(1), dim) && !holds(into, dim)) refuse(op, "dimension \"" + op.dimName(dim) + "\" of the result is in no operand", "a dimension of an operand or of \"into\"");
  for (DimId dim : into) {
    if (!holds(output, dim)) refuse(op, "the result lacks \"" + op.dimName(dim) + "\", over which the window moves", "it in \"output\"");
    if (holds(op.shape(1), dim)) refuse(op, "the weights have \"" + op.dimName(dim) + "\", over which the window moves", "weights over \"kernel\"");
  }
  for (DimId dim : kernel) {
    requireDim(op, 1, dim);
    if (holds(output, dim)) refuse(op, "the result has \"" + op.dimName(dim) + "\", which the window covers", "a result without it");
  }
  for (DimId dim : image)
    if (!holds(output, dim) && !holds(op.shape(1), dim)) refuse(op, "only the image has \"" + op.dimName(dim) + "\"", "an image summed over it before");
  for (DimId dim : op.shape(1))
    if (!holds(output, dim) && !holds(image, dim) && !holds(kernel, dim)) refuse(op, "only the weights have \"" + op.dimName(dim) + "\"", "weights summed over it before");
}

template <class Read>
Expression expressionWith(const OperatorView& op, const Read& read) {
  requireInputs(op, 2);
  requireSameType(op);
  if (op.dtype(0) == DType::boolean) refuse(op, "an input is of type bool", "numbers; cast it");
  const std::vector<SlidingWindow> windows = windowsOf(op);
  const Shape& output = op.dims("output");
  requireDims(op, windows, output);
  const Shape over = summed(op, windows, output);
  ExpressionBuilder y(op, {"x", "w"});
  y.outputLoops(output);
  y.reducedLoops(over, Reduction::sum);
  const Value image = read(y, windows);
  y.result(reduce(Reduction::sum, image * y.read(1), over), op.dtype(0));
  return y.take();
}

Expression forward(const OperatorView& op) {
  return expressionWith(op, [](ExpressionBuilder& y, const std::vector<SlidingWindow>& windows) { return readThrough(y, windows, 0); });
}

Expression backward(const OperatorView& op) {
  return expressionWith(op, [](ExpressionBuilder& y, const std::vector<SlidingWindow>& windows) { return readAgainst(y, windows); });
}

// The weights' places become the result, and what was the result moves over the image.
std::vector<SlidingWindow> overWeights(std::vector<SlidingWindow> windows) {
  for (SlidingWindow& window : windows) {
    std::swap(window.kernel, window.into);
    std::swap(window.stride, window.dilation);
  }
  return windows;
}

std::vector<TensorId> gradientOfForward(GraphBuilder& build, const GradientView& at) {
  const std::vector<SlidingWindow> windows = windowsOf(at.op);
  const TensorId x = at.op.input(0), w = at.op.input(1), dy = at.outputGradients[0];
  const TensorId dx = build.convolutionTranspose(dy, w, at.op.shape(0), turned(windows));
  return {dx, build.convolution(x, dy, at.op.shape(1), overWeights(windows))};
}

std::vector<TensorId> gradientOfBackward(GraphBuilder& build, const GradientView& at) {
  const std::vector<SlidingWindow> windows = turned(windowsOf(at.op));  // of the result, as an image
  const TensorId x = at.op.input(0), w = at.op.input(1), dy = at.outputGradients[0];
  const TensorId dx = build.convolution(dy, w, at.op.shape(0), windows);
  return {dx, build.convolution(dy, x, at.op.shape(1), overWeights(windows))};
}

Graph one(std::string_view x, std::string_view w, std::string_view output, const std::vector<std::array<std::string_view, 3>>& dims, const std::vector<std::array<std::int64_t, 3>>& steps, bool back) {
  return example([&](GraphBuilder& build) {
    const TensorId image = build.input("x", x), weights = build.input("w", w);
    const Shape made = build.shape(output);
    std::vector<SlidingWindow> windows;
    for (std::size_t i = 0; i < dims.size(); ++i)
      windows.push_back({build.shape(dims[i][0])[0], build.shape(dims[i][1])[0], build.shape(dims[i][2])[0], steps[i][0], steps[i][1], steps[i][2]});
    return back ? build.convolutionTranspose(image, weights, made, windows) : build.convolution(image, weights, made, windows);
  });
}

std::vector<Graph> examplesForward() {
  return {one("n:2 c:3 h:8", "f:4 c k:3", "n f h", {{"h", "k", "h"}}, {{1, 1, 1}}, false),              // keeps the size
          one("n:2 h:7 w:6 c:2", "k:3 l:2 c f:3", "n p:4 q:5 f", {{"h", "k", "p"}, {"w", "l", "q"}}, {{2, 1, 1}, {1, 1, 0}}, false),
          one("n:2 g:2 c:2 h:9", "g f:3 c k:2", "n g f p:5", {{"h", "k", "p"}}, {{2, 2, 1}}, false),    // groups, dilation
          one("c:1 d:3 h:4 w:4", "f:2 c k:2 l:3 m:3", "f p:2 h w", {{"d", "k", "p"}, {"h", "l", "h"}, {"w", "m", "w"}}, {{1, 1, 0}, {1, 1, 1}, {1, 1, 1}}, false),
          one("n:2 c:2 h:3", "f:2 c k:7", "n f h", {{"h", "k", "h"}}, {{1, 1, 3}}, false)};             // a window wider than a shard
}

std::vector<Graph> examplesBackward() {
  return {one("n:2 f:3 p:4", "f c:2 k:3", "n c h:8", {{"p", "k", "h"}}, {{2, 1, 1}}, true),
          one("n:2 f:2 h:6", "f c:3 k:3", "n c h", {{"h", "k", "h"}}, {{1, 1, 1}}, true),
          one("g:2 f:2 p:3 q:3", "g f c:2 k:2 l:3", "g c h:7 w:5", {{"p", "k", "h"}, {"q", "l", "w"}}, {{3, 1, 0}, {2, 1, 1}}, true)};
}

}  // namespace

const Op& convolutionOp() {
  static const Op op{.name = "convolution",
                     .summary = "Multiplies by name what a window over an image sees with weights, at every place of the window.",
                     .text = "y[n,f,p] = sum(c,u) (x[n, c, s*p + d*u - o] else 0) * w[f,c,u]",
                     .domain = "nn",
                     .expression = forward,
                     .gradient = gradientOfForward,
                     .examples = examplesForward};
  return op;
}

const Op& convolutionTransposeOp() {
  static const Op op{.name = "convolution_transpose",
                     .summary = "Lays weights, multiplied by name, over an image at every place of a window and adds up: a convolution's gradient.",
                     .text = "y[n,c,h] = sum(f,u) select((h + o - d*u) % s == 0, x[n, f, (h + o - d*u) / s] else 0, 0) * w[f,c,u]",
                     .domain = "nn",
                     .expression = backward,
                     .gradient = gradientOfBackward,
                     .examples = examplesBackward};
  return op;
}

}  // namespace core
