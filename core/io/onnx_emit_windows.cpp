#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/io/element.h"
#include "core/io/naming/relater.h"
#include "core/io/onnx_emitter.h"
#include "core/ops/windows.h"

// Convolutions and pooling, and norms of images: what reads an image [batch, channels, spatial ...].

namespace core {
namespace {

using Site = Emitter::Site;
using Made = std::vector<TensorId>;
using positional::Sizes;

// How a window moves along one spatial axis.
struct Step {
  std::int64_t kernel = 1, stride = 1, dilation = 1, low = 0, high = 0;
  bool still() const { return kernel == 1 && stride == 1 && low == 0 && high == 0; }
};

std::vector<std::int64_t> numbers(const Site& site, const char* name, std::size_t count, std::int64_t missing) {
  std::vector<std::int64_t> given = site.node.integers(name).value_or(std::vector<std::int64_t>(count, missing));
  if (given.size() != count) throw Error{.what = fmt::format("\"{}\" has {} numbers for {} axes", name, given.size(), count), .where = {}, .right = "one each"};
  return given;
}

// Padding that the sizes ask for: half of it before; the odd one behind, or before with SAME_LOWER.
void padSame(Step& step, std::int64_t total, bool lower) {
  total = std::max<std::int64_t>(total, 0);
  step.low = lower ? total - total / 2 : total / 2;
  step.high = total - step.low;
}

std::vector<Step> stepsOf(const Emitter& emit, const Site& site, const std::vector<std::int64_t>& kernel) {
  const std::size_t count = kernel.size();
  const Sizes &in = emit.sizesOf(site.node.input(0)), &out = emit.sizesOf(site.node.outputs[0]);
  const auto strides = numbers(site, "strides", count, 1), dilations = numbers(site, "dilations", count, 1), pads = numbers(site, "pads", 2 * count, 0);
  const std::string automatic = site.node.text("auto_pad", "NOTSET");
  const bool transposed = site.node.type == "ConvTranspose";
  const auto extra = numbers(site, "output_padding", count, 0);
  std::vector<Step> steps;
  for (std::size_t i = 0; i < count; ++i) {
    Step step{kernel[i], strides[i], dilations[i], pads[i], pads[count + i]};
    if (step.stride < 1 || step.dilation < 1 || step.kernel < 1) throw Error{.what = "a window without a size or a step", .where = {}, .right = "1 or more"};
    const std::int64_t reach = step.dilation * (step.kernel - 1) + 1;
    const bool same = automatic == "SAME_UPPER" || automatic == "SAME_LOWER";
    if (automatic == "VALID") step.low = step.high = 0;
    if (same && !transposed) padSame(step, (out.at(i + 2) - 1) * step.stride + reach - in.at(i + 2), automatic == "SAME_LOWER");
    if (transposed && (same || site.node.attributes.count("output_shape") > 0)) padSame(step, step.stride * (in.at(i + 2) - 1) + extra[i] + reach - out.at(i + 2), automatic != "SAME_UPPER");
    steps.push_back(step);
  }
  return steps;
}

// What is built axis by axis: the operands with a dimension wherever the window moves, and the result's dimensions.
struct Sliding {
  TensorId x, w;  // w: of a convolution
  std::vector<SlidingWindow> windows;
  Shape output;
  Shape dropped;  // of size 1, made for the window only
  bool transposed = false;
};

// The dimensions that the operator has by now.
Shape taken(Emitter& emit, const Sliding& made) {
  Shape all = made.output;
  for (TensorId one : {made.x, made.w})
    if (one.valid()) all.insert(all.end(), emit.build.graph()[one].shape.begin(), emit.build.graph()[one].shape.end());
  for (const SlidingWindow& window : made.windows) all.insert(all.end(), {window.from, window.kernel, window.into});
  all.insert(all.end(), made.dropped.begin(), made.dropped.end());
  return all;
}

void addUnit(Emitter& emit, const Sliding& made, TensorId& tensor, Shape& dims) {
  dims = {emit.unit(taken(emit, made))};
  Shape shape = emit.build.graph()[tensor].shape;
  shape.push_back(dims[0]);
  tensor = emit.build.broadcast(tensor, shape);
}

void slide(Emitter& emit, Sliding& made, const naming::Axis& image, Shape kernel, const naming::Axis& result, const Step& step) {
  Shape from = emit.shape(image), into = emit.shape(result);
  if (step.still() && from == into) {
    made.output.insert(made.output.end(), into.begin(), into.end());
    return;
  }
  if (from.size() > 1 || into.size() > 1 || kernel.size() > 1) throw Error{.what = "a spatial axis is several dimensions", .where = {}, .right = "one"};
  if (made.w.valid() && !made.transposed && kernel.empty() && step.low == 0 && !from.empty() && into != from) {  // a window of one element takes every stride-th
    made.x = into.empty() ? emit.build.pick(made.x, from[0], 0) : emit.build.slice(made.x, from[0], into[0], 0, step.stride);
    made.output.insert(made.output.end(), into.begin(), into.end());
    return;
  }
  if (from.empty()) addUnit(emit, made, made.x, from);
  if (kernel.empty() && made.w.valid()) addUnit(emit, made, made.w, kernel);
  Shape all = taken(emit, made);
  all.insert(all.end(), from.begin(), from.end());
  if (kernel.empty()) kernel = {emit.unit(all)};
  all.insert(all.end(), kernel.begin(), kernel.end());
  if (into.empty()) {
    into = {emit.unit(all)};
    made.dropped.push_back(into[0]);
  }
  if (into != from && (emit.build.graph().size(from[0]) == 0 || emit.build.graph().size(into[0]) == 0)) throw Error{.what = naming::openSymbol, .where = {}, .right = {}};
  made.windows.push_back({from[0], kernel[0], into[0], step.stride, step.dilation, step.low});
  made.output.push_back(into[0]);
}

TensorId withoutUnits(Emitter& emit, TensorId y, const Shape& units) {
  for (DimId unit : units) y = emit.build.pick(y, unit, 0);
  return y;
}

Shape leading(Emitter& emit, const naming::Axes& axes) { return emit.shape(naming::Axes(axes.begin(), axes.begin() + 2)); }

Shape spatialDims(Emitter& emit, const Site& site) {
  const naming::Axes& axes = site.relation.operands.at(0).axes;
  return emit.shape(naming::Axes(axes.begin() + 2, axes.end()));
}

Made convolution(Emitter& emit, const Site& site) {
  const naming::Axes &image = site.relation.operands.at(0).axes, &weight = site.relation.operands.at(1).axes, &result = site.relation.outputs.at(0);
  const Sizes& sizes = emit.sizesOf(site.node.input(1));
  const std::vector<Step> steps = stepsOf(emit, site, {sizes.begin() + 2, sizes.end()});
  Sliding made{.x = emit.operand(site, 0), .w = emit.operand(site, 1), .windows = {}, .output = leading(emit, result), .dropped = {}, .transposed = site.node.type == "ConvTranspose"};
  for (std::size_t i = 0; i < steps.size(); ++i) slide(emit, made, image[i + 2], emit.shape(weight[i + 2]), result[i + 2], steps[i]);
  const bool plain = !site.has(2) && made.dropped.empty();
  if (plain) emit.nameNext(site);
  TensorId y = made.windows.empty()                     ? emit.build.einsum({made.x, made.w}, made.output)
               : made.transposed ? emit.build.convolutionTranspose(made.x, made.w, made.output, made.windows)
                                             : emit.build.convolution(made.x, made.w, made.output, made.windows);
  y = withoutUnits(emit, y, made.dropped);
  if (!site.has(2)) return {y};
  const TensorId bias = emit.operand(site, 2);
  emit.nameNext(site);
  return {emit.build.plus(y, bias)};
}

// One over how many elements each place of the window sees, along one axis; none where all see the same.
std::optional<std::vector<double>> shares(const Step& step, std::int64_t size, std::int64_t places, bool includePads) {
  std::vector<double> found;
  const std::int64_t begin = includePads ? -step.low : 0, end = includePads ? size + step.high : size;
  for (std::int64_t p = 0; p < places; ++p) {
    std::int64_t count = 0;
    for (std::int64_t u = 0; u < step.kernel; ++u) {
      const std::int64_t at = p * step.stride + u * step.dilation - step.low;
      count += at >= begin && at < end;
    }
    found.push_back(count > 0 ? 1.0 / static_cast<double>(count) : 0.0);
  }
  if (std::all_of(found.begin(), found.end(), [&](double one) { return one == found[0]; })) return std::nullopt;
  return found;
}

TensorId meanOf(Emitter& emit, const Site& site, TensorId sum, const Sliding& made, const std::vector<Step>& steps) {
  const Sizes &in = emit.sizesOf(site.node.input(0)), &out = emit.sizesOf(site.node.outputs[0]);
  const bool includePads = site.node.integer("count_include_pad", 0) != 0;
  double common = 1;
  std::size_t window = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (window == made.windows.size()) break;
    const std::optional<std::vector<double>> each = steps[i].still() ? std::nullopt : shares(steps[i], in[i + 2], out[i + 2], includePads);
    if (!each) {
      common /= static_cast<double>(steps[i].kernel);
    } else {
      const DType type = emit.outputType(site);
      positional::Data data{.dtype = type, .sizes = {out[i + 2]}, .integers = {}, .reals = *each};
      const std::string name = fmt::format("{}/shares_{}", emit.model.values[static_cast<std::size_t>(site.node.outputs[0])].name, i);
      const TensorId factor = emit.build.constant(name, {made.windows[window].into}, type, InlineSource{std::make_shared<const std::vector<std::byte>>(writeElements(data))});
      sum = emit.build.times(sum, factor);
    }
    window += !steps[i].still();
  }
  return common == 1 ? sum : emit.build.times(sum, common);
}

Made pool(Emitter& emit, const Site& site) {
  if (site.node.outputs.size() > 1 && site.node.outputs[1] >= 0) throw Error{.what = "it gives indices", .where = {}, .right = "values alone"};
  const naming::Axes &image = site.relation.operands.at(0).axes, &result = site.relation.outputs.at(0);
  const auto kernel = site.node.integers("kernel_shape").value_or(std::vector<std::int64_t>{});
  if (kernel.size() + 2 != image.size()) throw Error{.what = "\"kernel_shape\" does not go with the image", .where = {}, .right = "a number for each spatial axis"};
  const std::vector<Step> steps = stepsOf(emit, site, kernel);
  const std::string& type = site.node.type;
  Sliding made{.x = emit.operand(site, 0), .w = {}, .windows = {}, .output = leading(emit, result), .dropped = {}};
  const double power = static_cast<double>(site.node.integer("p", 2));
  if (type == "LpPool") made.x = emit.build.binary(Function::power, emit.build.unary(Function::abs, made.x), power);
  for (std::size_t i = 0; i < steps.size(); ++i)
    slide(emit, made, image[i + 2], steps[i].kernel == 1 ? Shape{} : Shape{emit.build.newDim("window", steps[i].kernel)}, result[i + 2], steps[i]);
  if (made.windows.empty()) return {made.x};
  const bool last = type == "MaxPool" && made.dropped.empty();
  if (last) emit.nameNext(site);
  TensorId y = emit.build.pool(type == "MaxPool" ? Reduction::max : Reduction::sum, made.x, made.windows);
  if (type == "AveragePool") y = meanOf(emit, site, y, made, steps);
  if (type == "LpPool") y = emit.build.binary(Function::power, y, 1 / power);
  return {withoutUnits(emit, y, made.dropped)};
}

Made globalPool(Emitter& emit, const Site& site) {
  const TensorId x = emit.operand(site, 0);
  const Shape over = spatialDims(emit, site);
  if (over.empty()) return {x};
  emit.nameNext(site);
  return {site.node.type == "GlobalMaxPool" ? emit.build.reduce(Reduction::max, x, over) : emit.build.mean(x, over)};
}

// (x - mean) / sqrt(variance + epsilon) * scale + bias, with the statistics that were gathered while training; or with those of the batch,
// which then move the gathered ones.
Made batchNorm(Emitter& emit, const Site& site) {
  GraphBuilder& build = emit.build;
  const TensorId x = emit.operand(site, 0), scale = emit.operand(site, 1), bias = emit.operand(site, 2);
  TensorId mean = emit.operand(site, 3), variance = emit.operand(site, 4);
  Made moved;
  if (site.node.integer("training_mode", 0) != 0) {
    const naming::Axes& axes = site.relation.operands[0].axes;
    Shape over = emit.shape(axes[0]);
    for (DimId dim : spatialDims(emit, site)) over.push_back(dim);
    const double kept = site.node.real("momentum", 0.9);
    const TensorId own = over.empty() ? x : build.mean(x, over);
    const TensorId spread = build.unary(Function::square, build.minus(x, own)), ownVariance = over.empty() ? spread : build.mean(spread, over);
    const auto move = [&](TensorId gathered, TensorId found) { return build.plus(build.times(gathered, kept), build.times(found, 1 - kept)); };
    moved = {move(mean, own), move(variance, ownVariance)};
    mean = own;
    variance = ownVariance;
  }
  const TensorId factor = build.times(build.unary(Function::rsqrt, build.plus(variance, site.node.real("epsilon", 1e-5))), scale);
  const TensorId scaled = build.times(build.minus(x, mean), factor);
  emit.nameNext(site);
  Made made{build.plus(scaled, bias)};
  made.insert(made.end(), moved.begin(), moved.end());
  if (made.size() < site.node.outputs.size() && std::any_of(site.node.outputs.begin() + 1, site.node.outputs.end(), [](int output) { return output >= 0; })) throw Error{.what = "it gives statistics that it does not gather", .where = {}, .right = "one output"};
  return made;
}

// Each image's channel for itself.
Made instanceNorm(Emitter& emit, const Site& site) {
  GraphBuilder& build = emit.build;
  const Shape over = spatialDims(emit, site);
  if (over.empty()) throw Error{.what = "a norm over one element", .where = {}, .right = {}};
  const TensorId x = emit.operand(site, 0), scale = emit.operand(site, 1), bias = emit.operand(site, 2);
  const TensorId scaled = build.times(build.layerNorm(x, over, {}, {}, site.node.real("epsilon", 1e-5)), scale);
  emit.nameNext(site);
  return {build.plus(scaled, bias)};
}

// By the squares of the channels around: x / (bias + alpha / size * sum of squares) ^ beta.
Made localNorm(Emitter& emit, const Site& site) {
  GraphBuilder& build = emit.build;
  const Shape channels = emit.shape(site.relation.operands.at(0).axes.at(1));
  if (channels.size() != 1) throw Error{.what = "channels that are not one dimension", .where = {}, .right = "one"};
  const std::int64_t size = site.node.integer("size", 1);
  const TensorId x = emit.operand(site, 0);
  const TensorId near = build.pool(Reduction::sum, build.unary(Function::square, x), {{channels[0], build.newDim("window", size), channels[0], 1, 1, (size - 1) / 2}});
  const TensorId level = build.plus(build.times(near, site.node.real("alpha", 1e-4) / static_cast<double>(size)), site.node.real("bias", 1));
  const TensorId divisor = build.binary(Function::power, level, site.node.real("beta", 0.75));
  emit.nameNext(site);
  return {build.over(x, divisor)};
}

}  // namespace

const std::map<std::string, EmitRule>& emitWindows() {
  static const std::map<std::string, EmitRule> table{{"Conv", convolution}, {"ConvTranspose", convolution}, {"MaxPool", pool}, {"AveragePool", pool}, {"LpPool", pool},
                                                     {"LRN", localNorm}, {"GlobalAveragePool", globalPool}, {"GlobalMaxPool", globalPool}, {"BatchNormalization", batchNorm}, {"InstanceNormalization", instanceNorm}};
  return table;
}

}  // namespace core
