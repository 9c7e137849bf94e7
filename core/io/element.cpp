#include "core/io/element.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "core/base/error.h"

namespace core {
namespace {

struct Row {
  int onnx;
  std::string_view name;
  std::int64_t bytes;
  std::optional<DType> stored;
  std::optional<DType> read;
};

constexpr Row rows[] = {
    {1, "float32", 4, DType::f32, DType::f32},      {2, "uint8", 1, std::nullopt, DType::i32},
    {3, "int8", 1, std::nullopt, DType::i32},       {4, "uint16", 2, std::nullopt, DType::i32},
    {5, "int16", 2, std::nullopt, DType::i32},      {6, "int32", 4, DType::i32, DType::i32},
    {7, "int64", 8, DType::i64, DType::i64},        {8, "string", 0, std::nullopt, std::nullopt},
    {9, "bool", 1, DType::boolean, DType::boolean}, {10, "float16", 2, DType::f16, DType::f16},
    {11, "float64", 8, DType::f64, DType::f64},     {12, "uint32", 4, std::nullopt, DType::i64},
    {13, "uint64", 8, std::nullopt, DType::i64},    {14, "complex64", 8, std::nullopt, std::nullopt},
    {15, "complex128", 16, std::nullopt, std::nullopt}, {16, "bfloat16", 2, DType::bf16, DType::bf16},
};

const Row* rowOf(int type) {
  for (const Row& row : rows)
    if (row.onnx == type) return &row;
  return nullptr;
}

template <class T>
T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

double halfToDouble(std::uint16_t bits) {
  int exponent = bits >> 10 & 31;
  double fraction = bits & 1023;
  double sign = bits >> 15 ? -1 : 1;
  if (exponent == 31) return fraction == 0 ? sign * INFINITY : NAN;
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25));
}

double realAt(const std::byte* at, int type) {
  switch (type) {
    case 1: return load<float>(at);
    case 11: return load<double>(at);
    case 10: return halfToDouble(load<std::uint16_t>(at));
    default: return std::bit_cast<float>(static_cast<std::uint32_t>(load<std::uint16_t>(at)) << 16);
  }
}

std::int64_t integerAt(const std::byte* at, int type) {
  switch (type) {
    case 2: return load<std::uint8_t>(at);
    case 3: return load<std::int8_t>(at);
    case 4: return load<std::uint16_t>(at);
    case 5: return load<std::int16_t>(at);
    case 6: return load<std::int32_t>(at);
    case 9: return load<std::uint8_t>(at) != 0;
    case 12: return load<std::uint32_t>(at);
    default: return load<std::int64_t>(at);
  }
}

template <class T, class From>
void store(std::vector<std::byte>& out, std::size_t i, From value) {
  T converted = static_cast<T>(value);
  std::memcpy(out.data() + i * sizeof(T), &converted, sizeof(T));
}

}  // namespace

std::optional<DType> storedAs(int type) { return rowOf(type) ? rowOf(type)->stored : std::nullopt; }
std::optional<DType> readAs(int type) { return rowOf(type) ? rowOf(type)->read : std::nullopt; }
std::int64_t onnxByteSize(int type) { return rowOf(type) ? rowOf(type)->bytes : 0; }
std::string_view onnxTypeName(int type) { return rowOf(type) ? rowOf(type)->name : "unknown"; }

int onnxTypeOf(DType type) {
  for (const Row& row : rows)
    if (row.stored == type) return row.onnx;
  return 0;
}

positional::Data readElements(std::span<const std::byte> bytes, int type, const positional::Sizes& sizes) {
  positional::Data data{.dtype = *readAs(type), .sizes = sizes};
  std::int64_t width = onnxByteSize(type);
  std::size_t count = bytes.size() / static_cast<std::size_t>(width);
  if (data.floating()) data.reals.reserve(count);
  else data.integers.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::byte* at = bytes.data() + i * static_cast<std::size_t>(width);
    if (data.floating()) data.reals.push_back(realAt(at, type));
    else data.integers.push_back(integerAt(at, type));
  }
  return data;
}

std::vector<std::byte> writeElements(const positional::Data& data) {
  std::vector<std::byte> out(data.count() * static_cast<std::size_t>(byteSize(data.dtype)));
  for (std::size_t i = 0; i < data.count(); ++i) {
    switch (data.dtype) {
      case DType::f32: store<float>(out, i, data.reals[i]); break;
      case DType::f64: store<double>(out, i, data.reals[i]); break;
      case DType::bf16: {  // round to nearest even on the upper half
        auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(data.reals[i]));
        store<std::uint16_t>(out, i, std::isnan(data.reals[i]) ? 0x7fc0u : (bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
        break;
      }
      case DType::f16: throw Error{.what = "float16 values can't be written into a plan", .where = {}, .right = "float32 or bfloat16"};
      case DType::i32: store<std::int32_t>(out, i, data.integers[i]); break;
      case DType::i64: store<std::int64_t>(out, i, data.integers[i]); break;
      case DType::boolean: store<std::uint8_t>(out, i, data.integers[i] != 0); break;
    }
  }
  return out;
}

}  // namespace core
