#include "core/ops/builder.h"
#include "core/ops/catalogue.h"
#include "core/ops/example.h"
#include "core/ops/require.h"
#include "core/ops/windows.h"

// Reductions of what a window sees; beyond the tensor there is nothing to reduce. Attribute "reduction": "sum" or "max".

namespace core {
namespace {

bool isMax(const OperatorView& op) {
  const std::string& reduction = op.string("reduction");
  if (reduction != "max" && reduction != "sum") refuse(op, "reduction \"" + reduction + "\"", "\"max\" or \"sum\"");
  return reduction == "max";
}

Shape moved(Shape shape, const std::vector<SlidingWindow>& windows) {
  for (const SlidingWindow& window : windows) shape = replaced(std::move(shape), window.from, {window.into});
  return shape;
}

void requireNoKernel(const OperatorView& op, const std::vector<SlidingWindow>& windows) {
  for (const SlidingWindow& window : windows) requireNoDim(op, 0, window.kernel);
}

Expression pool(const OperatorView& op) {
  requireInputs(op, 1);
  if (op.dtype(0) == DType::boolean) refuse(op, "the input is of type bool", "numbers; cast it");
  const std::vector<SlidingWindow> windows = windowsOf(op);
  requireNoKernel(op, windows);
  const Reduction reduction = isMax(op) ? Reduction::max : Reduction::sum;
  ExpressionBuilder y(op, {"x"});
  y.outputLoops(moved(op.shape(0), windows));
  y.reducedLoops(kernelDims(windows), reduction);
  y.result(reduce(reduction, readThrough(y, windows, identityOf(reduction)), kernelDims(windows)), op.dtype(0));
  return y.take();
}

// Of a sum: what each element gave to all windows that saw it.
Expression unpool(const OperatorView& op) {
  requireInputs(op, 1);
  const std::vector<SlidingWindow> windows = windowsOf(op);
  requireNoKernel(op, windows);
  ExpressionBuilder y(op, {"dy"});
  y.outputLoops(moved(op.shape(0), windows));
  y.reducedLoops(kernelDims(windows), Reduction::sum);
  y.result(reduce(Reduction::sum, readAgainst(y, windows), kernelDims(windows)), op.dtype(0));
  return y.take();
}

// y[p]: how many elements that its window sees equal m[p].
Expression matches(const OperatorView& op) {
  requireInputs(op, 2);
  const std::vector<SlidingWindow> windows = windowsOf(op);
  ExpressionBuilder y(op, {"x", "m"});
  y.outputLoops(op.shape(1));
  y.reducedLoops(kernelDims(windows), Reduction::sum);
  const Value hit = readThrough(y, windows, identityOf(Reduction::max)) == y.read(1);
  y.result(reduce(Reduction::sum, select(hit, y.constant(1), y.constant(0)), kernelDims(windows)), op.dtype(0));
  return y.take();
}

// y[h]: the sum of g[p] over the windows that see x[h] and whose greatest, m[p], it is. Inputs m, x, g; windows from the side of m.
Expression maxPoolGradient(const OperatorView& op) {
  requireInputs(op, 3);
  const std::vector<SlidingWindow> windows = windowsOf(op);
  ExpressionBuilder y(op, {"m", "x", "g"});
  y.outputLoops(op.shape(1));
  y.reducedLoops(kernelDims(windows), Reduction::sum);
  const Value greatest = readAgainst(y, windows), share = readAgainst(y, windows, 2);
  y.result(reduce(Reduction::sum, select(greatest == y.read(1), share, y.constant(0)), kernelDims(windows)), op.dtype(0));
  return y.take();
}

Attributes with(const std::vector<SlidingWindow>& windows) {
  Attributes attributes;
  addWindows(attributes, windows);
  return attributes;
}

std::vector<TensorId> poolGradient(GraphBuilder& build, const GradientView& at) {
  const TensorId x = at.op.input(0), y = at.outputs[0], dy = at.outputGradients[0];
  if (!isFloating(at.op.dtype(0))) return {TensorId()};
  const std::vector<SlidingWindow> windows = windowsOf(at.op);
  if (!isMax(at.op)) return {build.addOne("unpool", {dy}, with(turned(windows)))};
  const TensorId share = build.over(dy, build.addOne("pool_matches", {x, y}, with(windows)));
  return {build.addOne("max_pool_gradient", {y, x, share}, with(turned(windows)))};
}

std::vector<TensorId> unpoolGradient(GraphBuilder& build, const GradientView& at) {
  return {build.pool(Reduction::sum, at.outputGradients[0], turned(windowsOf(at.op)))};
}

struct Sample {
  std::string_view x, made;
  std::vector<std::array<std::string_view, 3>> dims;
  std::vector<std::array<std::int64_t, 3>> steps;
};

std::vector<SlidingWindow> windowsIn(GraphBuilder& build, const Sample& sample) {
  std::vector<SlidingWindow> windows;
  for (std::size_t i = 0; i < sample.dims.size(); ++i) {
    const auto dim = [&](std::size_t k) { return build.shape(sample.dims[i][k])[0]; };
    windows.push_back({dim(0), dim(1), dim(2), sample.steps[i][0], sample.steps[i][1], sample.steps[i][2]});
  }
  return windows;
}

const std::vector<Sample>& samples() {
  static const std::vector<Sample> all{{"n:2 h:8 c:3", "n p:4 c", {{"h", "k:2", "p"}}, {{2, 1, 0}}},                                          // side by side
                                       {"c:2 h:7 w:6", "c p:4 w", {{"h", "k:3", "p"}, {"w", "l:3", "w"}}, {{2, 1, 1}, {1, 1, 1}}},             // overlapping, padded
                                       {"n:2 h:9", "n p:4", {{"h", "k:2", "p"}}, {{2, 3, 0}}}};                                               // dilated
  return all;
}

std::vector<Graph> poolExamples() {
  std::vector<Graph> graphs;
  for (const Reduction reduction : {Reduction::sum, Reduction::max})
    for (const Sample& sample : samples())
      graphs.push_back(example([&](GraphBuilder& build) {
        const TensorId x = build.input("x", sample.x);
        build.shape(sample.made);
        return build.pool(reduction, x, windowsIn(build, sample));
      }));
  return graphs;
}

// Of what a gradient builds: the parts by themselves.
std::vector<Graph> partExamples(const char* kind) {
  std::vector<Graph> graphs;
  for (const Sample& sample : samples())
    graphs.push_back(example([&](GraphBuilder& build) {
      const TensorId x = build.input("x", sample.x), y = build.input("y", build.shape(sample.made));
      const std::vector<SlidingWindow> windows = windowsIn(build, sample);
      if (std::string_view(kind) == "unpool") return build.addOne(kind, {y}, with(turned(windows)));
      const TensorId greatest = build.pool(Reduction::max, x, windows);
      if (std::string_view(kind) == "pool_matches") return build.addOne(kind, {x, greatest}, with(windows));
      return build.addOne(kind, {greatest, x, y}, with(turned(windows)));
    }));
  return graphs;
}

}  // namespace

const Op& poolOp() {
  static const Op op{.name = "pool",
                     .summary = "The sum or the greatest of what a window sees, at every place of the window; equal greatest ones share the gradient.",
                     .text = "y[p] = max(u) (x[s*p + d*u - o] else -inf)",
                     .domain = "nn",
                     .expression = pool,
                     .gradient = poolGradient,
                     .examples = poolExamples};
  return op;
}

const Op& unpoolOp() {
  static const Op op{.name = "unpool",
                     .summary = "Adds up, at each element, the values of all windows that see it.",
                     .text = "y[h] = sum(u) select((h + o - d*u) % s == 0, x[(h + o - d*u) / s] else 0, 0)",
                     .domain = "nn",
                     .expression = unpool,
                     .gradient = unpoolGradient,
                     .examples = [] { return partExamples("unpool"); }};
  return op;
}

const Op& poolMatchesOp() {
  static const Op op{.name = "pool_matches",
                     .summary = "How many elements that a window sees equal the window's own value.",
                     .text = "y[p] = sum(u) select((x[s*p + d*u - o] else -inf) == m[p], 1, 0)",
                     .domain = "nn",
                     .expression = matches,
                     .examples = [] { return partExamples("pool_matches"); }};
  return op;
}

const Op& maxPoolGradientOp() {
  static const Op op{.name = "max_pool_gradient",
                     .summary = "Gives each window's value to the elements that are its greatest.",
                     .text = "y[h] = sum(u) select(m[(h + o - d*u) / s] == x[h], g[(h + o - d*u) / s], 0)",
                     .domain = "nn",
                     .expression = maxPoolGradient,
                     .examples = [] { return partExamples("max_pool_gradient"); }};
  return op;
}

}  // namespace core
