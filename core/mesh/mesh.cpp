#include "core/mesh/mesh.h"

#include <charconv>

#include "core/base/error.h"

namespace core {
namespace {

constexpr std::string_view separators = ",; \t";

bool isNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

MeshAxis parseAxis(std::string_view item, std::string_view whole) {
  const Error wrong{.what = "\"" + std::string(item) + "\" is not a mesh axis",
                    .where = "mesh \"" + std::string(whole) + "\"",
                    .right = "an axis is NAME:SIZE, as in \"data:2,model:4\""};
  const std::size_t colon = item.find(':');
  if (colon == std::string_view::npos || colon == 0) throw wrong;
  MeshAxis axis{std::string(item.substr(0, colon)), 0};
  for (char c : axis.name)
    if (!isNameCharacter(c)) throw wrong;
  const std::string_view digits = item.substr(colon + 1);
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), axis.size);
  if (code != std::errc{} || end != digits.data() + digits.size()) throw wrong;
  return axis;
}

}  // namespace

Mesh Mesh::of(std::string_view text) {
  Mesh mesh;
  std::int64_t devices = 1;
  std::size_t at = text.find_first_not_of(separators);
  while (at != std::string_view::npos) {
    const std::size_t end = text.find_first_of(separators, at);
    const std::string_view item = text.substr(at, end == std::string_view::npos ? end : end - at);
    MeshAxis axis = parseAxis(item, text);
    const std::string where = "mesh \"" + std::string(text) + "\"";
    if (axis.size < 1)
      throw Error{.what = "axis '" + axis.name + "' has size " + std::to_string(axis.size), .where = where, .right = "a size of at least 1"};
    if (mesh.find(axis.name)) throw Error{.what = "axis '" + axis.name + "' stands twice", .where = where, .right = "each axis once"};
    if (__builtin_mul_overflow(devices, axis.size, &devices) || devices > (std::int64_t{1} << 31))
      throw Error{.what = "the mesh has too many devices", .where = where, .right = "at most 2147483648"};
    if (mesh.axes.size() == AxisList::capacity)
      throw Error{.what = "the mesh has too many axes", .where = where, .right = "at most 8"};
    mesh.axes.push_back(std::move(axis));
    at = end == std::string_view::npos ? end : text.find_first_not_of(separators, end);
  }
  return mesh;
}

std::int64_t Mesh::devices() const {
  std::int64_t product = 1;
  for (const MeshAxis& axis : axes) product *= axis.size;
  return product;
}

std::int64_t Mesh::size(const AxisList& list) const {
  std::int64_t product = 1;
  for (AxisId axis : list) product *= axes[axis].size;
  return product;
}

std::int64_t Mesh::size(AxisSet set) const {
  std::int64_t product = 1;
  for (AxisId axis = 0; axis < axes.size(); ++axis)
    if (set.contains(axis)) product *= axes[axis].size;
  return product;
}

std::optional<AxisId> Mesh::find(std::string_view name) const {
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i].name == name) return static_cast<AxisId>(i);
  return std::nullopt;
}

Coordinate Mesh::coordinate(std::int64_t rank) const {
  Coordinate at(axes.size());
  for (std::size_t i = axes.size(); i-- > 0;) {
    at[i] = rank % axes[i].size;
    rank /= axes[i].size;
  }
  return at;
}

std::int64_t Mesh::rank(const Coordinate& coordinate) const {
  std::int64_t rank = 0;
  for (std::size_t i = 0; i < axes.size(); ++i) rank = rank * axes[i].size + coordinate[i];
  return rank;
}

std::string print(const Mesh& mesh) {
  std::string text;
  for (const MeshAxis& axis : mesh.axes) {
    if (!text.empty()) text += ',';
    text += axis.name + ':' + std::to_string(axis.size);
  }
  return text;
}

}  // namespace core
