#include <cstring>
#include <string_view>

#include "core/base/error.h"
#include "core/tdl/element.h"
#include "executor/data/arrays.h"

namespace executor {
namespace {

struct TypeName {
  std::string_view text;
  core::DType dtype;
};
constexpr TypeName types[] = {{"<f4", core::DType::f32}, {"<f8", core::DType::f64}, {"<f2", core::DType::f16}, {"<i4", core::DType::i32}, {"<i8", core::DType::i64}, {"|b1", core::DType::boolean}};

// What stands after 'key': in the header's dictionary.
std::string_view valueOf(std::string_view header, std::string_view key, const std::string& path) {
  const std::size_t at = header.find(key);
  if (at == std::string_view::npos) throw core::Error{.what = "has no " + std::string(key) + " in its header", .where = path, .right = "a .npy file"};
  std::string_view rest = header.substr(at + key.size());
  const std::size_t begin = rest.find_first_not_of("': ");
  return begin == std::string_view::npos ? std::string_view{} : rest.substr(begin);
}

core::DType parseType(std::string_view header, const std::string& path) {
  const std::string_view text = valueOf(header, "descr", path).substr(0, 3);
  for (const TypeName& one : types)
    if (one.text == text) return one.dtype;
  throw core::Error{.what = "has element type " + std::string(text), .where = path, .right = "<f4, <f8, <f2, <i4, <i8 or |b1"};
}

std::vector<std::int64_t> parseShape(std::string_view header, const std::string& path) {
  std::string_view text = valueOf(header, "shape", path);
  const std::size_t close = text.find(')');
  if (text.empty() || text[0] != '(' || close == std::string_view::npos) throw core::Error{.what = "has a malformed shape", .where = path, .right = "a .npy file"};
  std::vector<std::int64_t> sizes;
  std::int64_t number = -1;
  for (char c : text.substr(1, close)) {
    if (c >= '0' && c <= '9') {
      number = (number < 0 ? 0 : number) * 10 + (c - '0');
      if (number > (std::int64_t{1} << 40)) throw core::Error{.what = "has a size beyond all memory", .where = path, .right = ""};
    } else if (number >= 0) {
      sizes.push_back(number);
      number = -1;
    }
  }
  return sizes;
}

}  // namespace

NpyFile::NpyFile(const std::string& path) : file_(std::make_unique<core::MappedFile>(path)) {
  const auto bytes = file_->bytes();
  constexpr std::string_view magic = "\x93NUMPY";
  if (bytes.size() < 12 || std::memcmp(bytes.data(), magic.data(), magic.size()) != 0) throw core::Error{.what = "is no .npy file", .where = path, .right = "one that numpy.save wrote"};
  const bool first = static_cast<int>(bytes[6]) == 1;
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data() + 8, first ? 2 : 4);
  offset_ = (first ? 10 : 12) + static_cast<std::int64_t>(length);
  if (offset_ > static_cast<std::int64_t>(bytes.size())) throw core::Error{.what = "is cut", .where = path, .right = "a whole .npy file"};
  const std::string_view header(reinterpret_cast<const char*>(bytes.data()) + (first ? 10 : 12), length);
  if (valueOf(header, "fortran_order", path).substr(0, 4) == "True") throw core::Error{.what = "is in Fortran order", .where = path, .right = "numpy.save(file, numpy.ascontiguousarray(array))"};
  dtype_ = parseType(header, path);
  sizes_ = parseShape(header, path);
  double elements = 1;
  for (std::int64_t size : sizes_) elements *= static_cast<double>(size);
  if (elements * static_cast<double>(core::byteSize(dtype_)) > static_cast<double>(bytes.size()) - static_cast<double>(offset_))
    throw core::Error{.what = "is cut", .where = path, .right = "as many elements as its shape says"};
}

double NpyFile::number(std::int64_t index) const { return core::loadElement(data(), index, dtype_); }

}  // namespace executor
