#include "core/plan/edit/mesh.h"

#include <fmt/format.h>

#include <algorithm>

namespace core {
namespace {

template <class Change>
void changeAxisLists(Layout& layout, Change change) {
  for (Rule& rule : layout.rules) change(rule.axes);
  for (Choice& choice : layout.choices) change(choice.axes);
  for (Pin& pin : layout.pins)
    for (Rule& rule : pin.dims) change(rule.axes);
}

// A rule or choice without axes says nothing; a pin without dimensions still says "keep whole".
void dropEmpty(Layout& layout) {
  auto empty = [](const auto& one) { return one.axes.empty(); };
  std::erase_if(layout.rules, empty);
  std::erase_if(layout.choices, empty);
  for (Pin& pin : layout.pins) std::erase_if(pin.dims, empty);
}

Variant& current(Plan& plan) {
  return plan.variants[plan.current];
}

void require(const Mesh& mesh, const std::string& name) {
  if (mesh.find(name)) return;
  throw Error{.what = fmt::format("there is no axis \"{}\"", name),
              .where = "mesh " + print(mesh),
              .right = "one of the mesh's axes"};
}

void allowNew(const Mesh& mesh, const std::string& name) {
  bool wellFormed = !name.empty() &&
                    std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  if (!wellFormed || std::isdigit(static_cast<unsigned char>(name[0])))
    throw Error{.what = fmt::format("\"{}\" is not a name of an axis", name),
                .where = "mesh",
                .right = "letters, digits and _, a letter first"};
  if (mesh.find(name))
    throw Error{.what = fmt::format("the mesh has an axis \"{}\" already", name),
                .where = "mesh " + print(mesh),
                .right = "another name"};
  if (mesh.axes.size() >= AxisList::capacity)
    throw Error{.what = "the mesh has too many axes",
                .where = "mesh " + print(mesh),
                .right = fmt::format("at most {}", AxisList::capacity)};
}

void allowSize(std::int64_t size) {
  if (size >= 1 && size <= (std::int64_t{1} << 20)) return;
  throw Error{.what = fmt::format("an axis cannot have size {}", size), .where = "mesh", .right = "1 to 1048576"};
}

}  // namespace

Plan setMesh(Plan plan, const Mesh& mesh) {
  Variant& variant = current(plan);
  changeAxisLists(variant.layout, [&](std::vector<std::string>& axes) {
    std::erase_if(axes, [&](const std::string& axis) { return !mesh.find(axis); });
  });
  dropEmpty(variant.layout);
  variant.mesh = mesh;
  return plan;
}

Plan addAxis(Plan plan, const std::string& name, std::int64_t size) {
  Mesh& mesh = current(plan).mesh;
  allowNew(mesh, name);
  allowSize(size);
  mesh.axes.push_back({name, size});
  return plan;
}

Plan removeAxis(Plan plan, const std::string& name) {
  Mesh mesh = current(plan).mesh;
  require(mesh, name);
  std::erase_if(mesh.axes, [&](const MeshAxis& axis) { return axis.name == name; });
  return setMesh(std::move(plan), mesh);
}

Plan renameAxis(Plan plan, const std::string& from, const std::string& to) {
  if (from == to) return plan;
  Variant& variant = current(plan);
  require(variant.mesh, from);
  Mesh others = variant.mesh;
  std::erase_if(others.axes, [&](const MeshAxis& axis) { return axis.name == from; });
  allowNew(others, to);
  variant.mesh.axes[*variant.mesh.find(from)].name = to;
  changeAxisLists(variant.layout,
                  [&](std::vector<std::string>& axes) { std::replace(axes.begin(), axes.end(), from, to); });
  return plan;
}

Plan resizeAxis(Plan plan, const std::string& name, std::int64_t size) {
  Mesh& mesh = current(plan).mesh;
  require(mesh, name);
  allowSize(size);
  mesh.axes[*mesh.find(name)].size = size;
  return plan;
}

Plan moveAxis(Plan plan, const std::string& name, std::size_t position) {
  Mesh& mesh = current(plan).mesh;
  require(mesh, name);
  MeshAxis axis = mesh.axes[*mesh.find(name)];
  std::erase_if(mesh.axes, [&](const MeshAxis& one) { return one.name == name; });
  mesh.axes.insert(mesh.axes.begin() + static_cast<std::ptrdiff_t>(std::min(position, mesh.axes.size())), axis);
  return plan;
}

}  // namespace core
