#include "executor/collectives/reduce.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "core/base/error.h"

namespace executor {
namespace {

using core::DType;
using core::Reduction;

template <class T, class Join>
void loop(const std::byte* from, std::byte* into, std::int64_t count, Join join) {
  const T* a = reinterpret_cast<const T*>(from);
  T* b = reinterpret_cast<T*>(into);
  for (std::int64_t i = 0; i < count; ++i) b[i] = join(b[i], a[i]);
}

// Integers wrap: what is added may be padding, which is carried and means nothing.
template <class T>
using Wrapping = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::type_identity<T>>::type;

template <class T>
void reduceTyped(Reduction reduction, const std::byte* from, std::byte* into, std::int64_t count) {
  switch (reduction) {
    case Reduction::sum: return loop<T>(from, into, count, [](T a, T b) { return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b)); });
    case Reduction::product: return loop<T>(from, into, count, [](T a, T b) { return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b)); });
    case Reduction::max: return loop<T>(from, into, count, [](T a, T b) { return a > b || a != a ? a : b; });  // a NaN stays
    case Reduction::min: return loop<T>(from, into, count, [](T a, T b) { return a < b || a != a ? a : b; });
    case Reduction::logicalAnd: return loop<T>(from, into, count, [](T a, T b) { return static_cast<T>(a != 0 && b != 0); });
    case Reduction::logicalOr: return loop<T>(from, into, count, [](T a, T b) { return static_cast<T>(a != 0 || b != 0); });
  }
}

template <class T>
void fillTyped(Reduction reduction, std::byte* target, std::int64_t count) {
  using Limits = std::numeric_limits<T>;
  T value = 0;
  if (reduction == Reduction::product || reduction == Reduction::logicalAnd) value = 1;
  if (reduction == Reduction::max) value = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  if (reduction == Reduction::min) value = Limits::has_infinity ? Limits::infinity() : Limits::max();
  std::fill_n(reinterpret_cast<T*>(target), count, value);
}

[[noreturn]] void refuse(DType dtype) {
  throw core::Error{.what = "tensors of " + std::string(core::toString(dtype)) + " are priced but cannot be run yet", .where = "", .right = "run with precision f32"};
}

}  // namespace

void reduceInto(DType dtype, Reduction reduction, const std::byte* from, std::byte* into, std::int64_t count) {
  switch (dtype) {
    case DType::f32: return reduceTyped<float>(reduction, from, into, count);
    case DType::f64: return reduceTyped<double>(reduction, from, into, count);
    case DType::i32: return reduceTyped<std::int32_t>(reduction, from, into, count);
    case DType::i64: return reduceTyped<std::int64_t>(reduction, from, into, count);
    case DType::boolean: return reduceTyped<std::uint8_t>(reduction, from, into, count);
    case DType::bf16:
    case DType::f16: refuse(dtype);
  }
}

void fillIdentity(DType dtype, Reduction reduction, std::byte* target, std::int64_t count) {
  switch (dtype) {
    case DType::f32: return fillTyped<float>(reduction, target, count);
    case DType::f64: return fillTyped<double>(reduction, target, count);
    case DType::i32: return fillTyped<std::int32_t>(reduction, target, count);
    case DType::i64: return fillTyped<std::int64_t>(reduction, target, count);
    case DType::boolean: return fillTyped<std::uint8_t>(reduction, target, count);
    case DType::bf16:
    case DType::f16: refuse(dtype);
  }
}

}  // namespace executor
