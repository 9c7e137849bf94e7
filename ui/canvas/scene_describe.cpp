#include <QCoreApplication>

#include "ui/canvas/scene.h"
#include "ui/canvas/words.h"
#include "ui/widgets/number_text.h"

namespace ui {

QString collectiveLetters(core::CollectiveKind kind) {
  switch (kind) {
    case core::CollectiveKind::allReduce:
      return QStringLiteral("AR");
    case core::CollectiveKind::allGather:
      return QStringLiteral("AG");
    case core::CollectiveKind::reduceScatter:
      return QStringLiteral("RS");
    case core::CollectiveKind::allToAll:
      return QStringLiteral("A2A");
    case core::CollectiveKind::collectivePermute:
      return QStringLiteral("P2P");
    case core::CollectiveKind::redistribute:
      return QStringLiteral("RD");
    case core::CollectiveKind::broadcast:
      return QStringLiteral("BC");
  }
  return {};
}

QString axisNames(const Scene& scene, const core::AxisList& axes) {
  QStringList names;
  for (core::AxisId axis : axes) names += scene.axes.value(axis);
  return names.join(QLatin1Char(','));
}

QString tensorText(const Scene& scene, int tensor) {
  const SceneTensor& t = scene.tensors[static_cast<std::size_t>(tensor)];
  QStringList dims;
  for (const SceneDim& dim : t.dims) {
    QString size = dim.size > 0 ? QString::number(dim.size) : QStringLiteral("?");
    dims += dim.axes.empty() ? dim.name + QLatin1Char(' ') + size
                             : QStringLiteral("%1 %2 [%3]").arg(dim.name, size, axisNames(scene, dim.axes));
  }
  QString text = t.name + QStringLiteral(" (") + dims.join(QStringLiteral(", ")) + QLatin1Char(')');
  core::AxisList partial;
  for (core::AxisId axis = 0; axis < scene.axes.size(); ++axis)
    if (t.partial.contains(axis)) partial.push_back(axis);
  if (!partial.empty())
    text += QCoreApplication::translate("ui::Scene", ", partial over %1").arg(axisNames(scene, partial));
  return text;
}

QString Scene::describe(const SceneRef& ref) const {
  if (ref.kind == SceneRef::Kind::tensor && static_cast<std::size_t>(ref.index) < tensors.size())
    return QCoreApplication::translate("ui::Scene", "tensor %1").arg(tensorText(*this, ref.index));
  if (ref.kind == SceneRef::Kind::collective && static_cast<std::size_t>(ref.index) < pills.size()) {
    const ScenePill& pill = pills[static_cast<std::size_t>(ref.index)];
    QString text = QCoreApplication::translate("ui::Scene", "%1 over %2 of %3, %4")
                       .arg(QString::fromLatin1(core::toString(pill.kind).data()), axisNames(*this, pill.axes),
                            tensors[static_cast<std::size_t>(pill.tensor)].name, bytesText(pill.bytes));
    return pill.count > 1 ? text + QStringLiteral(" \u00D7%1").arg(pill.count) : text;
  }
  auto node = nodeOf(ref);
  if (!node) return {};
  const SceneNode& n = nodes[static_cast<std::size_t>(*node)];
  switch (n.kind) {
    case SceneNodeKind::op:
      return QCoreApplication::translate("ui::Scene", "operator %1, %2").arg(n.path, n.subtitle);
    case SceneNodeKind::group:
      return QCoreApplication::translate("ui::Scene", "group %1, %2").arg(n.title, n.subtitle);
    case SceneNodeKind::stack:
      return QCoreApplication::translate("ui::Scene", "%1 times %2, %3").arg(n.multiplicity).arg(n.title, n.subtitle);
    default:
      return n.title;
  }
}

}  // namespace ui
