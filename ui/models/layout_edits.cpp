#include "ui/models/layout_edits.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>

#include "core/base/text.h"
#include "core/plan/edit/layout.h"

namespace ui {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("LayoutEdits", text);
}

std::vector<core::Diagnostic> errorsOf(const core::Plan& plan, const core::Graph& graph) {
  std::vector<core::Diagnostic> found = core::check(plan.variant().layout, *plan.graph, plan.variant().mesh, &graph);
  std::erase_if(found, [](const core::Diagnostic& one) { return one.severity != core::Diagnostic::Severity::error; });
  return found;
}

bool sameShape(const core::Graph& graph, const core::Tensor& a, const core::Tensor& b) {
  return a.shape.size() == b.shape.size() &&
         std::equal(a.shape.begin(), a.shape.end(), b.shape.begin(),
                    [&](core::DimId x, core::DimId y) { return graph[x].name == graph[y].name; });
}

}  // namespace

NamedEdit splitDimension(const QString& dimension, const QString& axis) {
  return {tr("Split %1 over %2").arg(dimension, axis),
          [d = dimension.toStdString(), a = axis.toStdString()](core::Plan plan) {
            return core::addRule(std::move(plan), d, a);
          }};
}

NamedEdit unsplitDimension(const QString& dimension, const QString& axis) {
  QString name = axis.isEmpty() ? tr("Keep %1 whole").arg(dimension) : tr("Take %1 off %2").arg(dimension, axis);
  return {name, [d = dimension.toStdString(), a = axis.toStdString()](core::Plan plan) {
            return a.empty() ? core::removeRules(std::move(plan), d) : core::removeRule(std::move(plan), d, a);
          }};
}

NamedEdit splitTensor(const core::Pin& now, const QString& dimension, const QString& axis) {
  return {tr("Pin %1 of %2 to %3").arg(dimension, QString::fromStdString(now.tensor), axis),
          [now, d = dimension.toStdString(), a = axis.toStdString()](core::Plan plan) {
            return core::addPinAxis(std::move(plan), now, d, a);
          }};
}

NamedEdit unsplitTensor(const core::Pin& now, const QString& dimension, const QString& axis) {
  QString name = tr("Take %1 of %2 off %3")
                     .arg(dimension, QString::fromStdString(now.tensor), axis.isEmpty() ? tr("all axes") : axis);
  return {name, [now, d = dimension.toStdString(), a = axis.toStdString()](core::Plan plan) {
            if (!a.empty()) return core::removePinAxis(std::move(plan), now, d, a);
            core::Pin pin = now;
            std::erase_if(pin.dims, [&](const core::Rule& rule) { return rule.dimension == d; });
            return core::setPin(std::move(plan), std::move(pin));
          }};
}

NamedEdit pinTensor(const core::Pin& now) {
  return {tr("Pin %1").arg(QString::fromStdString(now.tensor)),
          [now](core::Plan plan) { return core::setPin(std::move(plan), now); }};
}

NamedEdit unpinTensor(const QString& tensor) {
  return {tr("Unpin %1").arg(tensor),
          [t = tensor.toStdString()](core::Plan plan) { return core::removePin(std::move(plan), t); }};
}

core::Pin pinOf(const core::Analysis& analysis, core::TensorId tensor, const QString& name) {
  core::Pin pin{name.toStdString(), {}};
  if (!analysis.step || !analysis.plan || tensor.index() >= analysis.layouts.size()) return pin;
  const core::Mesh& mesh = analysis.plan->variants[analysis.variant].mesh;
  const core::Shape& shape = (*analysis.step)[tensor].shape;
  const core::Sharding& sharding = analysis.layouts.sharding(tensor.index());
  for (std::size_t d = 0; d < shape.size() && d < sharding.dims.size(); ++d) {
    if (sharding.dims[d].empty()) continue;
    core::Rule rule{(*analysis.step)[shape[d]].name, {}};
    for (core::AxisId axis : sharding.dims[d]) rule.axes.push_back(mesh.axes[axis].name);
    pin.dims.push_back(std::move(rule));
  }
  return pin;
}

QString patternOf(const core::Graph& graph, const QString& tensor) {
  static const QRegularExpression number(QStringLiteral("(?<=[._/]|^)\\d+(?=[._/])"));
  QString pattern = tensor;
  pattern.replace(number, QStringLiteral("*"));
  std::optional<core::TensorId> self = graph.findTensor(tensor.toStdString());
  if (pattern == tensor || !self) return tensor;
  std::string glob = pattern.toStdString();
  for (const core::Tensor& other : graph.tensors)
    if (core::globMatch(glob, other.name) && !sameShape(graph, graph[*self], other)) return tensor;
  return matches(graph, pattern) > 1 ? pattern : tensor;
}

int matches(const core::Graph& graph, const QString& pattern) {
  std::string glob = pattern.toStdString();
  return static_cast<int>(std::count_if(graph.tensors.begin(), graph.tensors.end(),
                                        [&](const core::Tensor& one) { return core::globMatch(glob, one.name); }));
}

QString refusalOf(const core::Plan& plan, const core::Graph& graph, const Edit& edit) {
  try {
    std::vector<core::Diagnostic> before = errorsOf(plan, graph);
    for (const core::Diagnostic& one : errorsOf(edit(plan), graph))
      if (std::find(before.begin(), before.end(), one) == before.end()) return QString::fromStdString(one.what);
    return {};
  } catch (const core::Error& error) {
    return QString::fromStdString(error.what);
  }
}

QString paddingNote(std::int64_t size, const std::vector<std::int64_t>& axisSizes) {
  std::int64_t local = size, ranks = 1;
  for (std::int64_t n : axisSizes) {
    local = (local + n - 1) / n;
    ranks *= n;
  }
  if (size <= 0 || local * ranks == size) return {};
  return tr("%1 / %2: pads to %3").arg(size).arg(ranks).arg(local * ranks);
}

}  // namespace ui
