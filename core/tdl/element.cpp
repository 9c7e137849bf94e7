#include "core/tdl/element.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace core {
namespace {

// Data in files lie where they lie, aligned or not.
template <class T>
T get(const void* data, std::int64_t index) {
  T value;
  std::memcpy(&value, static_cast<const char*>(data) + index * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
  return value;
}

template <class T>
void put(void* data, std::int64_t index, T value) {
  std::memcpy(static_cast<char*>(data) + index * static_cast<std::int64_t>(sizeof(T)), &value, sizeof(T));
}

template <class T>
T wholeNumber(double value) {
  if (std::isnan(value)) return 0;
  // The largest int64 is no double: 2^63 itself is already too large.
  if (value >= -static_cast<double>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::max();
  if (value <= static_cast<double>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
  return static_cast<T>(value);
}

// A float's sign, five bits of exponent and ten of fraction, rounded once from the double.
std::uint16_t halfOf(double value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double size = std::abs(value);
  if (std::isnan(value)) return sign | 0x7e00;
  if (size >= 65520) return sign | 0x7c00;  // halfway to the next power of two and beyond: infinity
  if (size < 0x1p-14) return sign | static_cast<std::uint16_t>(std::nearbyint(size * 0x1p24));
  int exponent = 0;
  const double fraction = std::frexp(size, &exponent);                              // of [0.5, 1)
  const auto scaled = static_cast<std::uint16_t>(std::nearbyint(fraction * 2048));  // 1024 .. 2048
  return sign | static_cast<std::uint16_t>(((exponent + 13) << 10) + scaled);
}

double doubleOfHalf(std::uint16_t bits) {
  const int exponent = bits >> 10 & 0x1f;
  const int fraction = bits & 0x3ff;
  double size = 0;
  if (exponent == 0x1f)
    size = fraction ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  else if (exponent == 0)
    size = fraction * 0x1p-24;
  else
    size = std::ldexp(1024 + fraction, exponent - 25);
  return bits & 0x8000 ? -size : size;
}

// Rounds a double to bf16 once: what float would round away still decides ties.
std::uint16_t bf16OfDouble(double value) {
  const auto nearest = static_cast<float>(value);
  std::uint32_t bits = std::bit_cast<std::uint32_t>(nearest);
  if (std::isfinite(nearest) && (bits & 0xffff) == 0x8000 && static_cast<double>(nearest) != value) {
    const bool larger = std::abs(value) > std::abs(static_cast<double>(nearest));
    bits += larger ? 1 : -1;
  }
  return bf16Of(std::bit_cast<float>(bits));
}

}  // namespace

std::uint16_t bf16Of(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>(bits >> 16 | 0x40);
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

float floatOfBf16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

double loadElement(const void* data, std::int64_t index, DType dtype) {
  switch (dtype) {
    case DType::f32:
      return get<float>(data, index);
    case DType::f64:
      return get<double>(data, index);
    case DType::bf16:
      return floatOfBf16(get<std::uint16_t>(data, index));
    case DType::f16:
      return doubleOfHalf(get<std::uint16_t>(data, index));
    case DType::i32:
      return get<std::int32_t>(data, index);
    case DType::i64:
      return static_cast<double>(get<std::int64_t>(data, index));
    case DType::boolean:
      return get<std::uint8_t>(data, index) != 0;
  }
  return 0;
}

void storeElement(void* data, std::int64_t index, DType dtype, double value) {
  switch (dtype) {
    case DType::f32:
      put<float>(data, index, static_cast<float>(value));
      break;
    case DType::f64:
      put<double>(data, index, value);
      break;
    case DType::bf16:
      put<std::uint16_t>(data, index, bf16OfDouble(value));
      break;
    case DType::f16:
      put<std::uint16_t>(data, index, halfOf(value));
      break;
    case DType::i32:
      put<std::int32_t>(data, index, wholeNumber<std::int32_t>(value));
      break;
    case DType::i64:
      put<std::int64_t>(data, index, wholeNumber<std::int64_t>(value));
      break;
    case DType::boolean:
      put<std::uint8_t>(data, index, value != 0);
      break;
  }
}

double roundTo(DType dtype, double value) {
  if (dtype == DType::f64) return value;
  alignas(8) std::uint8_t bytes[8];
  storeElement(bytes, 0, dtype, value);
  return loadElement(bytes, 0, dtype);
}

}  // namespace core
