#include "core/io/tensor_file.h"

#include <fmt/format.h>

#include <cstring>
#include <string_view>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/detect.h"
#include "core/io/element.h"
#include "core/io/mapped_file.h"
#include "core/io/onnx_parse.h"

namespace core {
namespace {

constexpr std::string_view numpyMagic = "\x93NUMPY";

// What stands behind 'key': in the header of a .npy file, a literal of Python's dict.
std::string_view entry(std::string_view header, std::string_view key, const std::string& path) {
  std::size_t at = header.find(key);
  std::size_t colon = at == std::string_view::npos ? at : header.find(':', at);
  if (colon == std::string_view::npos) throw Error{.what = fmt::format("the header of the array has no {}", key), .where = path, .right = "a .npy file that numpy.save wrote"};
  return trim(header.substr(colon + 1));
}

int typeOf(std::string_view descr, const std::string& path) {
  static constexpr std::pair<std::string_view, int> table[] = {{"f4", 1}, {"u1", 2}, {"i1", 3}, {"u2", 4}, {"i2", 5}, {"i4", 6}, {"i8", 7}, {"b1", 9}, {"f2", 10}, {"f8", 11}, {"u4", 12}, {"u8", 13}};
  std::string_view quoted = descr.substr(descr.empty() ? 0 : 1, descr.find_first_of("'\"", 1) - 1);
  bool little = !quoted.empty() && (quoted[0] == '<' || quoted[0] == '|' || quoted[0] == '=');
  for (const auto& [name, type] : table)
    if (little && quoted.substr(1) == name) return type;
  throw Error{.what = fmt::format("an array of type {}", quoted), .where = path, .right = "little-endian numbers or booleans"};
}

std::vector<std::int64_t> shapeOf(std::string_view text, const std::string& path) {
  std::size_t open = text.find('('), close = text.find(')');
  if (open != 0 || close == std::string_view::npos) throw Error{.what = "the header of the array has no shape", .where = path, .right = "a .npy file that numpy.save wrote"};
  std::vector<std::int64_t> sizes;
  for (std::string_view word : words(text.substr(1, close - 1), ", ")) {
    auto size = parseInteger(word);
    if (!size || *size < 0) throw Error{.what = fmt::format("the array has the size {}", word), .where = path, .right = "whole numbers"};
    sizes.push_back(*size);
  }
  return sizes;
}

// First axis fastest becomes last axis fastest.
std::vector<std::byte> rowMajor(std::span<const std::byte> bytes, const std::vector<std::int64_t>& sizes, std::size_t width) {
  std::vector<std::byte> out(bytes.size());
  for (std::size_t to = 0; to * width < bytes.size(); ++to) {
    std::size_t rest = to, from = 0, count = bytes.size() / width;
    for (std::size_t axis = sizes.size(); axis-- > 0;) {
      auto size = static_cast<std::size_t>(sizes[axis]);
      count /= size;
      from += rest % size * count;  // the stride of an axis is the product of the sizes before it
      rest /= size;
    }
    std::memcpy(&out[to * width], &bytes[from * width], width);
  }
  return out;
}

TensorFile finish(std::string name, int type, const std::vector<std::int64_t>& sizes, std::vector<std::byte> bytes, const std::string& path) {
  std::optional<DType> dtype = readAs(type);
  if (!dtype) throw Error{.what = fmt::format("elements of type {}", onnxTypeName(type)), .where = path, .right = "numbers or booleans"};
  if (!storedAs(type)) bytes = writeElements(readElements(bytes, type, sizes));
  return {std::move(name), *dtype, sizes, std::move(bytes)};
}

TensorFile readNumpy(std::span<const std::byte> file, const std::string& path) {
  auto cut = [&] { return Error{.what = "the array is cut", .where = path, .right = "a whole .npy file"}; };
  if (file.size() < 12) throw cut();
  int version = std::to_integer<int>(file[6]);
  std::size_t length = std::to_integer<std::size_t>(file[8]) | std::to_integer<std::size_t>(file[9]) << 8, begin = 10;
  if (version >= 2) length |= std::to_integer<std::size_t>(file[10]) << 16 | std::to_integer<std::size_t>(file[11]) << 24, begin = 12;
  if (length > file.size() - begin) throw cut();
  std::string_view header(reinterpret_cast<const char*>(file.data()) + begin, length);
  int type = typeOf(entry(header, "descr", path), path);
  std::vector<std::int64_t> sizes = shapeOf(entry(header, "shape", path), path);
  auto width = static_cast<std::size_t>(onnxByteSize(type));
  std::span<const std::byte> data = file.subspan(begin + length);
  std::int64_t elements = positional::product(sizes);
  if (elements > static_cast<std::int64_t>(data.size() / width)) throw cut();
  data = data.first(static_cast<std::size_t>(elements) * width);
  bool columns = entry(header, "fortran_order", path).substr(0, 4) == "True";
  std::vector<std::byte> bytes = columns ? rowMajor(data, sizes, width) : std::vector<std::byte>(data.begin(), data.end());
  return finish({}, type, sizes, std::move(bytes), path);
}

}  // namespace

TensorFile readTensorBytes(std::span<const std::byte> file, const std::string& path) {
  if (file.empty()) throw Error{.what = "the file is empty", .where = path, .right = "an ONNX TensorProto (input_0.pb) or a .npy file"};
  std::string_view head(reinterpret_cast<const char*>(file.data()), std::min<std::size_t>(file.size(), numpyMagic.size()));
  if (head == numpyMagic) return readNumpy(file, path);
  if (detectFile(file) == FileKind::lfsPointer) throw Error{.what = "this is a Git LFS pointer, not the tensor itself", .where = path, .right = "fetch the file that it stands for: git lfs pull"};
  OnnxTensor tensor = parseOnnxTensor(file, path);
  return finish(tensor.name, tensor.onnxType, tensor.sizes, std::move(tensor.bytes), path);
}

TensorFile readTensorFile(const std::string& path) {
  MappedFile file(path);
  return readTensorBytes(file.bytes(), path);
}

}  // namespace core
