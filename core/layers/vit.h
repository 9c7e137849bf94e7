#pragma once

#include <cstdint>

#include "core/graph/graph.h"
#include "core/tdl/expression.h"

namespace core {

struct VitSizes {
  std::int64_t layers = 4;
  std::int64_t modelSize = 256;  // d_model
  std::int64_t heads = 4;
  std::int64_t ffn = 1024;
  std::int64_t height = 32, width = 32, channels = 3;
  std::int64_t patchHeight = 8, patchWidth = 8;
  std::int64_t classes = 10;
  std::int64_t batch = 16;
  double epsilon = 1e-12;
  Function activation = Function::gelu;
  bool attentionBias = true;                       // of queries, keys and values
  double hiddenDropout = 0, attentionDropout = 0;  // in training
};

// An image as a sequence of patches behind one learned token, which says the class (Dosovitskiy et al., 2020): learned
// positions, norms before attention and feed-forward. Input "pixels" [batch channels height width], output "logits"
// [batch classes]; layers encoder.layer.0, encoder.layer.1 ...
Graph vit(const VitSizes& sizes);

}  // namespace core
