#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/io/value_json.h"

namespace core {
namespace {

bool isName(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

MeshAxis readMeshAxis(const JsonReader& reader) {
  const JsonObject axis(reader, {"name", "size"});
  const JsonReader name = axis.at("name");
  if (!isName(name.string())) name.refuse(fmt::format("\"{}\" cannot name an axis", name.string()), "letters, digits and _");
  return {name.string(), axis.at("size").size()};
}

AxisId readAxis(const JsonReader& reader, const Mesh& mesh) {
  for (std::size_t i = 0; i < mesh.axes.size(); ++i)
    if (mesh.axes[i].name == reader.string()) return static_cast<AxisId>(i);
  std::string known;
  for (const MeshAxis& axis : mesh.axes) known += (known.empty() ? "" : ", ") + axis.name;
  reader.refuse(fmt::format("the mesh has no axis \"{}\"", reader.string()), known.empty() ? "the mesh has no axes" : "one of " + known);
}

}  // namespace

Json meshJson(const Mesh& mesh) {
  Json json = Json::array();
  for (const MeshAxis& axis : mesh.axes) json.push_back({{"name", axis.name}, {"size", axis.size}});
  return json;
}

Mesh readMesh(const JsonReader& reader) {
  if (reader.length() > AxisList::capacity) reader.refuse(fmt::format("{} axes", reader.length()), fmt::format("at most {}", AxisList::capacity));
  Mesh mesh;
  std::int64_t devices = 1;
  reader.each([&](const JsonReader& item) {
    const MeshAxis axis = readMeshAxis(item);
    for (const MeshAxis& other : mesh.axes)
      if (other.name == axis.name) item.refuse(fmt::format("the axis \"{}\" stands twice", axis.name), "each name once");
    if (__builtin_mul_overflow(devices, axis.size, &devices)) item.refuse("more devices than 64 bits count");
    mesh.axes.push_back(axis);
  });
  return mesh;
}

Json axesJson(const AxisList& axes, const Mesh& mesh) {
  Json json = Json::array();
  for (AxisId axis : axes) json.push_back(mesh.axes[axis].name);
  return json;
}

AxisList readAxes(const JsonReader& reader, const Mesh& mesh) {
  AxisList axes;
  reader.each([&](const JsonReader& item) {
    const AxisId axis = readAxis(item, mesh);
    if (axes.contains(axis)) item.refuse(fmt::format("the axis \"{}\" stands twice", item.string()), "each axis once");
    axes.push_back(axis);
  });
  return axes;
}

Json axesJson(AxisSet axes, const Mesh& mesh) {
  Json json = Json::array();
  for (std::size_t i = 0; i < mesh.axes.size(); ++i)
    if (axes.contains(static_cast<AxisId>(i))) json.push_back(mesh.axes[i].name);
  return json;
}

AxisSet readAxisSet(const JsonReader& reader, const Mesh& mesh) {
  AxisSet set;
  for (AxisId axis : readAxes(reader, mesh)) set.insert(axis);
  return set;
}

}  // namespace core
