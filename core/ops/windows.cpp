#include "core/ops/windows.h"

#include "core/ops/require.h"

namespace core {
namespace {

std::vector<std::int64_t> numbers(const OperatorView& op, const char* attribute, std::size_t count) {
  const std::vector<std::int64_t>& given = op.integers(attribute);
  if (given.size() != count)
    refuse(op, "attribute \"" + std::string(attribute) + "\" has " + std::to_string(given.size()) + " numbers for " + std::to_string(count) + " dimensions", "one each");
  return given;
}

void requireWindow(const OperatorView& op, const SlidingWindow& window) {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  requireDim(op, 0, window.from);
  if (window.into != window.from) requireNoDim(op, 0, window.into);
  if (window.into == window.kernel) refuse(op, "\"" + op.dimName(window.into) + "\" is both the window and the result", "a dimension for each");
  if (window.stride < 1 || window.dilation < 1 || window.stride > most || window.dilation > most)
    refuse(op, "stride " + std::to_string(window.stride) + ", dilation " + std::to_string(window.dilation), "steps of 1 or more");
  if (window.low < -most || window.low > most) refuse(op, "padding " + std::to_string(window.low), "a padding that fits the tensor");
}

Shape each(const std::vector<SlidingWindow>& windows, DimId SlidingWindow::*member) {
  Shape dims;
  for (const SlidingWindow& window : windows) dims.push_back(window.*member);
  return dims;
}

const SlidingWindow* windowOver(const std::vector<SlidingWindow>& windows, DimId dim) {
  for (const SlidingWindow& window : windows)
    if (window.from == dim) return &window;
  return nullptr;
}

// An operand, the axes of windows as `indexOf` has them, all others by name.
template <class IndexOf>
Value readAt(ExpressionBuilder& y, std::size_t operand, const std::vector<SlidingWindow>& windows, double beyond, const IndexOf& indexOf) {
  std::vector<AxisIndex> axes;
  for (DimId dim : y.shape(operand)) {
    const SlidingWindow* window = windowOver(windows, dim);
    axes.push_back(window ? indexOf(*window) : ExpressionBuilder::at(y.loopOver(dim)));
  }
  return y.read(operand, std::move(axes), y.constant(beyond));
}

}  // namespace

std::vector<SlidingWindow> windowsOf(const OperatorView& op) {
  const Shape &from = op.dims("from"), &kernel = op.dims("kernel"), &into = op.dims("into");
  if (from.empty()) refuse(op, "no dimension to slide over", "\"from\" with one or more");
  if (kernel.size() != from.size() || into.size() != from.size()) refuse(op, "\"from\", \"kernel\" and \"into\" differ in length", "one dimension each");
  const auto strides = numbers(op, "strides", from.size()), dilations = numbers(op, "dilations", from.size()), low = numbers(op, "low", from.size());
  std::vector<SlidingWindow> windows;
  for (std::size_t i = 0; i < from.size(); ++i) {
    windows.push_back({from[i], kernel[i], into[i], strides[i], dilations[i], low[i]});
    requireWindow(op, windows.back());
  }
  return windows;
}

void addWindows(Attributes& attributes, const std::vector<SlidingWindow>& windows) {
  std::vector<std::int64_t> strides, dilations, low;
  for (const SlidingWindow& window : windows) {
    strides.push_back(window.stride);
    dilations.push_back(window.dilation);
    low.push_back(window.low);
  }
  attributes["from"] = fromDims(windows);
  attributes["kernel"] = kernelDims(windows);
  attributes["into"] = intoDims(windows);
  attributes["strides"] = strides;
  attributes["dilations"] = dilations;
  attributes["low"] = low;
}

std::vector<SlidingWindow> turned(std::vector<SlidingWindow> windows) {
  for (SlidingWindow& window : windows) std::swap(window.from, window.into);
  return windows;
}

Shape fromDims(const std::vector<SlidingWindow>& windows) { return each(windows, &SlidingWindow::from); }
Shape kernelDims(const std::vector<SlidingWindow>& windows) { return each(windows, &SlidingWindow::kernel); }
Shape intoDims(const std::vector<SlidingWindow>& windows) { return each(windows, &SlidingWindow::into); }

std::int64_t windowCount(std::int64_t size, std::int64_t kernel, std::int64_t stride, std::int64_t dilation, std::int64_t low, std::int64_t high, bool roundUp) {
  const std::int64_t reach = dilation * (kernel - 1) + 1, room = size + low + high - reach;
  if (room < 0) return 0;
  std::int64_t count = room / stride + 1;
  if (roundUp && room % stride != 0 && count * stride < size + low) ++count;
  return count;
}

Value readThrough(ExpressionBuilder& y, const std::vector<SlidingWindow>& windows, double beyond, std::size_t operand) {
  return readAt(y, operand, windows, beyond, [&](const SlidingWindow& window) {
    AxisIndex index = ExpressionBuilder::at(y.loopOver(window.into), window.stride, -window.low);
    index.terms.push_back({y.loopOver(window.kernel), window.dilation});
    return index;
  });
}

Value readAgainst(ExpressionBuilder& y, const std::vector<SlidingWindow>& windows, std::size_t operand) {
  Value value = readAt(y, operand, windows, 0, [&](const SlidingWindow& window) {
    AxisIndex index = ExpressionBuilder::at(y.loopOver(window.into), 1, window.low);
    index.terms.push_back({y.loopOver(window.kernel), -window.dilation});
    index.divide = window.stride;
    return index;
  });
  for (const SlidingWindow& window : windows) {
    if (window.stride == 1) continue;
    const Value place = y.index(window.into) - y.index(window.kernel) * static_cast<double>(window.dilation) + static_cast<double>(window.low);
    const Value rest = apply(Function::floorModulo, place, y.constant(static_cast<double>(window.stride)));
    value = select(rest == y.constant(0), value, y.constant(0));
  }
  return value;
}

}  // namespace core
