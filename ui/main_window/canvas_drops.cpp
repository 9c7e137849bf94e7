#include "ui/main_window/canvas_drops.h"

#include <algorithm>

#include "core/plan/edit/layout.h"
#include "ui/panels/parts/edit_chooser.h"
#include "ui/session/session.h"

namespace ui {

core::Pin dropPin(const Session& session, const QString& tensor, bool onlyHere) {
  const core::Graph& graph = session.graph();
  QString name = onlyHere ? tensor : patternOf(graph, tensor);
  if (const core::Pin* pinned = core::findPin(session.document().plan().variant().layout, name.toStdString()))
    return *pinned;
  std::optional<core::TensorId> id = graph.findTensor(tensor.toStdString());
  return id ? pinOf(session.analysis(), *id, name) : core::Pin{name.toStdString(), {}};
}

NamedEdit dropEdit(const Session& session, const QString& tensor, const QString& dimension, const QString& axis,
                   bool onlyHere) {
  return splitTensor(dropPin(session, tensor, onlyHere), dimension, axis);
}

NamedEdit togglePin(const Session& session, const QString& tensor) {
  core::Pin pin = dropPin(session, tensor, false);
  bool isPinned = core::findPin(session.document().plan().variant().layout, pin.tensor) != nullptr;
  return isPinned ? unpinTensor(QString::fromStdString(pin.tensor)) : pinTensor(pin);
}

void openAxisChooser(Session& session, const QString& tensor, const QString& dimension, const QPoint& at,
                     QWidget* parent) {
  core::Pin pin = dropPin(session, tensor, false);
  std::vector<EditChoice> choices;
  for (const core::MeshAxis& axis : session.document().plan().variant().mesh.axes) {
    QString name = QString::fromStdString(axis.name);
    bool isOn = std::any_of(pin.dims.begin(), pin.dims.end(), [&](const core::Rule& rule) {
      return rule.dimension == dimension.toStdString() &&
             std::find(rule.axes.begin(), rule.axes.end(), axis.name) != rule.axes.end();
    });
    NamedEdit edit = isOn ? unsplitTensor(pin, dimension, name) : splitTensor(pin, dimension, name);
    choices.push_back({isOn ? QObject::tr("off %1").arg(name) : QObject::tr("over %1 (%2)").arg(name).arg(axis.size),
                       refusalOf(session.document().plan(), session.graph(), edit.edit), edit});
  }
  auto* chooser =
      new EditChooser(session, QObject::tr("Pin %1 of %2").arg(dimension, tensor), std::move(choices), parent);
  chooser->popup(at);
}

}  // namespace ui
