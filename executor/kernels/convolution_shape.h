#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "executor/kernels/kernel.h"

namespace executor {

// A tensor as a convolution takes it: the dims of each role, and where in memory they lie.
struct ConvolutionSide {
  struct Dim {
    std::int64_t size = 1;
    std::int64_t stride = 0;  // in elements
  };
  std::vector<std::vector<Dim>> roles;  // image: batch, groups, channels, then the spatial ones; weights: groups, made, taken, spatial
  std::int64_t base = 0;                // where it begins, in elements
};

// One of the three directions that oneDNN has:
//
//   forward   made[n,f,p]  = sum(c,u) image[n, c, s*p + d*u - low] * weights[f,c,u]
//   data      image[n,c,h] = the same sum from the image's side          (a transposed convolution)
//   weights   weights[f,c,u] = sum(n,p) image[n, c, s*p + d*u - low] * made[n,f,p]
struct ConvolutionShape {
  enum class Direction { forward, data, weights } direction = Direction::forward;
  ConvolutionSide image, weights, made;
  std::array<int, 3> operands{-1, -1, -1};  // which input is image, weights, made; -1 is the result
  std::vector<std::int64_t> strides, dilations, low, high;  // one a spatial dimension; low and high are padding of this rank's part
};

// Of y = sum(..) a[window] * b[..]; none for anything else, for an empty range, and where a rank's part does not begin on a step.
std::optional<ConvolutionShape> convolutionShapeOf(const KernelRequest& request);

}  // namespace executor
