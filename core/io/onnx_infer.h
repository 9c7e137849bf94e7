#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/io/positional.h"

namespace core {

// What is known of a value while a graph is walked.
struct Known {
  DType dtype = DType::f32;
  bool typeKnown = false;
  std::optional<positional::Sizes> sizes;  // -1 = this one is not known; nothing = rank not known
  positional::DataPtr data;                // its elements, where they are known at import
};

// Types and sizes of a node's outputs by ONNX's own rules, from those of its inputs (absent = left out). Outputs of operators
// that ONNX lacks come back unknown; `problem` says when the inputs contradict the operator.
std::vector<Known> inferOutputs(const positional::Node& node, const std::vector<const Known*>& inputs, std::string& problem);

bool isOnnxOperator(const positional::Node& node);

// The newest version of ONNX's operators whose rules are known here.
std::int64_t newestOpset();

}  // namespace core
