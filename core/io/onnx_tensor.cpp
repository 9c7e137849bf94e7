#include "core/io/onnx_tensor.h"

#include <fmt/format.h>

#include <cstring>

#include "core/base/error.h"
#include "core/io/element.h"
#include "core/io/onnx_parse.h"

namespace core {
namespace {

template <class To, class Field>
void appendAll(std::vector<std::byte>& out, const Field& field) {
  std::size_t begin = out.size();
  out.resize(begin + static_cast<std::size_t>(field.size()) * sizeof(To));
  for (int i = 0; i < field.size(); ++i) {
    To value = static_cast<To>(field.Get(i));
    std::memcpy(out.data() + begin + static_cast<std::size_t>(i) * sizeof(To), &value, sizeof(To));
  }
}

// ONNX puts small types into the next larger field.
std::vector<std::byte> typedFields(const onnx::TensorProto& tensor) {
  std::vector<std::byte> out;
  switch (tensor.data_type()) {
    case 1: appendAll<float>(out, tensor.float_data()); break;
    case 11: appendAll<double>(out, tensor.double_data()); break;
    case 7: appendAll<std::int64_t>(out, tensor.int64_data()); break;
    case 13: appendAll<std::uint64_t>(out, tensor.uint64_data()); break;
    case 12: appendAll<std::uint32_t>(out, tensor.uint64_data()); break;
    case 6: appendAll<std::int32_t>(out, tensor.int32_data()); break;
    case 4: case 5: case 10: case 16: appendAll<std::uint16_t>(out, tensor.int32_data()); break;
    case 2: case 3: case 9: appendAll<std::uint8_t>(out, tensor.int32_data()); break;
    default: break;
  }
  return out;
}

}  // namespace

positional::Sizes tensorSizes(const onnx::TensorProto& tensor, const std::string& where) {
  positional::Sizes sizes(tensor.dims().begin(), tensor.dims().end());
  for (std::int64_t size : sizes)
    if (size < 0) throw Error{.what = fmt::format("tensor \"{}\" has the size {}", tensor.name(), size), .where = where, .right = "sizes are at least 1"};
  try {
    positional::product(sizes);
  } catch (Error& error) {
    error.what = fmt::format("tensor \"{}\": {}", tensor.name(), error.what);
    error.where = where;
    throw;
  }
  return sizes;
}

std::vector<std::byte> tensorBytes(const onnx::TensorProto& tensor, const std::string& where) {
  std::vector<std::byte> bytes;
  if (tensor.has_raw_data()) {
    bytes.resize(tensor.raw_data().size());
    if (!bytes.empty()) std::memcpy(bytes.data(), tensor.raw_data().data(), bytes.size());
  } else {
    bytes = typedFields(tensor);
  }
  std::int64_t width = onnxByteSize(tensor.data_type());
  std::int64_t elements = positional::product(tensorSizes(tensor, where));
  if (width == 0) throw Error{.what = fmt::format("tensor \"{}\" has elements of type {}", tensor.name(), onnxTypeName(tensor.data_type())), .where = where, .right = "numbers or booleans"};
  if (static_cast<std::int64_t>(bytes.size()) / width != elements || static_cast<std::int64_t>(bytes.size()) % width != 0)
    throw Error{.what = fmt::format("tensor \"{}\" holds {} bytes, its sizes [{}] of {} need {} elements", tensor.name(), bytes.size(),
                                    fmt::join(tensor.dims(), ","), onnxTypeName(tensor.data_type()), elements),
                .where = where,
                .right = "a whole tensor; was the file cut?"};
  return bytes;
}

OnnxTensor parseOnnxTensor(std::span<const std::byte> file, const std::string& path) {
  onnx::TensorProto tensor;
  if (file.size() > (std::size_t{1} << 31) - 1 || !tensor.ParseFromArray(file.data(), static_cast<int>(file.size())) || !tensor.has_data_type())
    throw Error{.what = "not a tensor: protobuf can't read it as one, or it has no element type", .where = path, .right = "an ONNX TensorProto (input_0.pb) or a .npy file"};
  OnnxTensor out{.name = tensor.name(), .onnxType = tensor.data_type()};
  out.sizes = tensorSizes(tensor, path);
  out.bytes = tensorBytes(tensor, path);
  return out;
}

}  // namespace core
