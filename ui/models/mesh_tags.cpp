#include "ui/models/mesh_tags.h"

#include <QCoreApplication>

namespace ui {

QStringList axisNames(const core::Mesh& mesh) {
  QStringList names;
  for (const core::MeshAxis& axis : mesh.axes) names << QString::fromStdString(axis.name);
  return names;
}

AxisTag axisTag(const core::Mesh& mesh, core::AxisId axis) {
  return {QString::fromStdString(mesh.axes[axis].name), axis, mesh.axes[axis].size};
}

std::vector<AxisTag> axisTags(const core::Mesh& mesh, const std::vector<std::string>& names) {
  std::vector<AxisTag> tags;
  for (const std::string& name : names)
    if (auto axis = mesh.find(name)) tags.push_back(axisTag(mesh, *axis));
  return tags;
}

std::vector<AxisTag> axisTags(const core::Mesh& mesh, const core::AxisList& axes) {
  std::vector<AxisTag> tags;
  for (core::AxisId axis : axes) tags.push_back(axisTag(mesh, axis));
  return tags;
}

qint64 paddingOf(qint64 size, const std::vector<AxisTag>& axes) {
  qint64 local = size, ranks = 1;
  for (const AxisTag& axis : axes) {
    local = (local + axis.size - 1) / axis.size;
    ranks *= axis.size;
  }
  return local * ranks - size;
}

QString meshText(const core::Mesh& mesh) {
  QStringList parts;
  for (const core::MeshAxis& axis : mesh.axes)
    parts << QStringLiteral("%1 %2").arg(QString::fromStdString(axis.name)).arg(axis.size);
  if (parts.isEmpty()) return QCoreApplication::translate("Mesh", "1 device");
  return QStringLiteral("%1 = %2").arg(parts.join(QStringLiteral(" × "))).arg(mesh.devices());
}

QString axesText(const core::Mesh& mesh, const core::AxisList& axes) {
  QStringList names;
  for (core::AxisId axis : axes) names << QString::fromStdString(mesh.axes[axis].name);
  return names.join(QStringLiteral(", "));
}

}  // namespace ui
