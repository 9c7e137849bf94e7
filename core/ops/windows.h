#pragma once

#include <vector>

#include "core/ops/expression_builder.h"

// Dimensions of an operand that are read through a moving window, as convolutions and pooling do.
//
//   x[stride*p + dilation*u - low]     p: `into`, u: `kernel`, the dimension of x that is read so: `from`
//
// Attributes "from", "kernel" and "into" (dimensions) and "strides", "dilations" and "low" (numbers), one of each for every such dimension.
// What a window reads beyond the operand is the reduction's identity; how far it may go there at the end follows from the size of `into`.

namespace core {

struct SlidingWindow {
  DimId from, kernel, into;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t low = 0;  // padding before; negative cuts
};

// Error where the lists differ in length, a step is no step, or `from` is no dimension of input 0.
std::vector<SlidingWindow> windowsOf(const OperatorView& op);
void addWindows(Attributes& attributes, const std::vector<SlidingWindow>& windows);

std::vector<SlidingWindow> turned(std::vector<SlidingWindow> windows);  // image and result exchanged

Shape fromDims(const std::vector<SlidingWindow>& windows);
Shape kernelDims(const std::vector<SlidingWindow>& windows);
Shape intoDims(const std::vector<SlidingWindow>& windows);

// How many places the window has over `size` elements with this padding; rounded up, a last one may hang over the end but must begin before it.
std::int64_t windowCount(std::int64_t size, std::int64_t kernel, std::int64_t stride, std::int64_t dilation, std::int64_t low, std::int64_t high, bool roundUp = false);

// An operand as the window reads it, loops of `into` and `kernel` standing; `beyond` outside.
Value readThrough(ExpressionBuilder& y, const std::vector<SlidingWindow>& windows, double beyond, std::size_t operand = 0);
// The other way: element h of the result meets x[p] where h = stride*p + dilation*u - low; 0 where no p does.
Value readAgainst(ExpressionBuilder& y, const std::vector<SlidingWindow>& windows, std::size_t operand = 0);

}  // namespace core
