#pragma once

#include <string>

#include "core/ops/builder.h"

namespace core {

struct Patches {
  DimId channels, height, width;                 // of the image
  DimId rows, columns, patchHeight, patchWidth;  // height = rows * patch_height
  DimId patches;                                 // rows * columns, row by row
  DimId model;
  bool bias = true;
};

// A convolution whose stride is its kernel: each patch of an image [.. channels height width] times one matrix ->
// [.. patches model]. Parameters NAME.weight [model channels patch_height patch_width] and NAME.bias [model].
TensorId patchEmbedding(GraphBuilder& build, const std::string& name, TensorId image, const Patches& dims);

}  // namespace core
