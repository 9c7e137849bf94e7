#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace core {

// A strong index into one table: a TensorId is not an OperatorId. The default value means "none".
template <class Tag>
struct Id {
  std::int32_t value = -1;

  constexpr Id() = default;
  constexpr explicit Id(std::int64_t v) : value(static_cast<std::int32_t>(v)) {}
  constexpr bool valid() const { return value >= 0; }
  constexpr std::size_t index() const { return static_cast<std::size_t>(value); }
  auto operator<=>(const Id&) const = default;
};

}  // namespace core

template <class Tag>
struct std::hash<core::Id<Tag>> {
  std::size_t operator()(core::Id<Tag> id) const noexcept { return std::hash<std::int32_t>{}(id.value); }
};
