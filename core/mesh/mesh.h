#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace core {

// Ordered named axes: "data:4 model:2". A rank is a row-major coordinate, last axis fastest.
struct MeshAxis {
  std::string name;
  std::int64_t size = 1;
  bool operator==(const MeshAxis&) const = default;
};

using AxisId = std::uint8_t;  // index into Mesh::axes

// An ordered list of mesh axes, major first: [data, model].
class AxisList {
 public:
  static constexpr std::size_t capacity = 8;
  AxisList() = default;
  AxisList(std::initializer_list<AxisId> axes) {
    for (AxisId axis : axes) push_back(axis);
  }
  const AxisId* begin() const { return axes_.data(); }
  const AxisId* end() const { return axes_.data() + size_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  AxisId operator[](std::size_t i) const { return axes_[i]; }
  AxisId back() const { return axes_[size_ - 1u]; }
  void push_back(AxisId axis) { axes_[size_++] = axis; }
  void pop_back() { axes_[--size_] = 0; }
  bool contains(AxisId axis) const {
    for (AxisId one : *this)
      if (one == axis) return true;
    return false;
  }
  auto operator<=>(const AxisList&) const = default;

 private:
  std::array<AxisId, capacity> axes_{};
  std::uint8_t size_ = 0;
};

// A set of mesh axes, as bits.
struct AxisSet {
  std::uint32_t bits = 0;
  bool contains(AxisId axis) const { return bits >> axis & 1u; }
  bool empty() const { return bits == 0; }
  void insert(AxisId axis) { bits |= 1u << axis; }
  void erase(AxisId axis) { bits &= ~(1u << axis); }
  auto operator<=>(const AxisSet&) const = default;
};

using Coordinate = std::vector<std::int64_t>;  // one number an axis

struct Mesh {
  std::vector<MeshAxis> axes;  // at most AxisList::capacity

  // "data:2,model:2", "data:2 model:2" or "data:2;model:2"; "" is one device. Error on a bad size or name.
  static Mesh of(std::string_view text);

  std::int64_t devices() const;  // product of the sizes
  std::int64_t size(AxisId axis) const { return axes[axis].size; }
  std::int64_t size(const AxisList& list) const;
  std::int64_t size(AxisSet set) const;
  std::optional<AxisId> find(std::string_view name) const;
  Coordinate coordinate(std::int64_t rank) const;
  std::int64_t rank(const Coordinate& coordinate) const;
  bool operator==(const Mesh&) const = default;
};

std::string print(const Mesh& mesh);  // "data:2,model:2"

}  // namespace core
