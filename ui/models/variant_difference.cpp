#include "ui/models/variant_difference.h"

#include <QCoreApplication>
#include <QStringList>
#include <set>

#include "core/plan/edit/layout.h"
#include "core/plan/edit/mesh.h"
#include "core/plan/edit/variants.h"
#include "ui/models/estimate_rows.h"

namespace ui {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("VariantDifference", text);
}

QString axesOf(const std::vector<std::string>& axes) {
  QStringList names;
  for (const std::string& axis : axes) names << QString::fromStdString(axis);
  return names.isEmpty() ? tr("whole") : names.join(QStringLiteral(" + "));
}

QString pinText(const core::Pin* pin) {
  if (!pin) return tr("not pinned");
  QStringList parts;
  for (const core::Rule& rule : pin->dims)
    parts << QStringLiteral("%1:%2").arg(QString::fromStdString(rule.dimension), axesOf(rule.axes));
  return parts.isEmpty() ? tr("whole") : parts.join(QStringLiteral(", "));
}

void addRules(std::vector<VariantDifference>& found, const core::Layout& other, const core::Layout& current) {
  std::set<std::string> dimensions;
  for (const core::Layout* layout : {&other, &current})
    for (const core::Rule& rule : layout->rules) dimensions.insert(rule.dimension);
  for (const std::string& dimension : dimensions) {
    std::vector<std::string> was = core::ruleAxes(other, dimension), is = core::ruleAxes(current, dimension);
    if (was == is) continue;
    found.push_back({QStringLiteral("%1: %2 → %3").arg(QString::fromStdString(dimension), axesOf(was), axesOf(is)),
                     [dimension, was](core::Plan plan) { return core::setRule(std::move(plan), dimension, was); }});
  }
}

void addPins(std::vector<VariantDifference>& found, const core::Layout& other, const core::Layout& current) {
  std::set<std::string> tensors;
  for (const core::Layout* layout : {&other, &current})
    for (const core::Pin& pin : layout->pins) tensors.insert(pin.tensor);
  for (const std::string& tensor : tensors) {
    const core::Pin *was = core::findPin(other, tensor), *is = core::findPin(current, tensor);
    if ((was && is && *was == *is)) continue;
    std::optional<core::Pin> wanted = was ? std::optional(*was) : std::nullopt;
    found.push_back({QStringLiteral("%1: %2 → %3").arg(QString::fromStdString(tensor), pinText(was), pinText(is)),
                     [tensor, wanted](core::Plan plan) {
                       return wanted ? core::setPin(std::move(plan), *wanted)
                                     : core::removePin(std::move(plan), tensor);
                     }});
  }
}

}  // namespace

std::vector<VariantDifference> differences(const core::Variant& other, const core::Variant& current) {
  std::vector<VariantDifference> found;
  auto arrow = [](const QString& name, const QString& was, const QString& is) {
    return QStringLiteral("%1: %2 → %3").arg(name, was, is);
  };
  if (other.mesh != current.mesh)
    found.push_back({arrow(tr("mesh"), QString::fromStdString(core::print(other.mesh)),
                           QString::fromStdString(core::print(current.mesh))),
                     [mesh = other.mesh](core::Plan plan) { return core::setMesh(std::move(plan), mesh); }});
  if (other.step != current.step)
    found.push_back({arrow(tr("step"), stepText(other.step), stepText(current.step)),
                     [step = other.step](core::Plan plan) { return core::setStep(std::move(plan), step); }});
  if (other.machine != current.machine)
    found.push_back(
        {arrow(tr("machine"), QString::fromStdString(other.machine), QString::fromStdString(current.machine)),
         [machine = other.machine](core::Plan plan) { return core::setMachine(std::move(plan), machine); }});
  addRules(found, other.layout, current.layout);
  addPins(found, other.layout, current.layout);
  return found;
}

}  // namespace ui
