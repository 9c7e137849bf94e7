#pragma once

// Only for the files that read protobuf.

#include <onnx/onnx_pb.h>

#include <string>
#include <vector>

#include "core/io/positional.h"

namespace core {

// What a TensorProto holds itself (raw or typed fields), as bytes of its type. Error when they are not as many as its sizes say.
std::vector<std::byte> tensorBytes(const onnx::TensorProto& tensor, const std::string& where);
positional::Sizes tensorSizes(const onnx::TensorProto& tensor, const std::string& where);  // checked: not negative, product fits

}  // namespace core
