#include "ui/models/facts.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <map>

#include "core/plan/edit/layout.h"
#include "ui/models/mesh_tags.h"
#include "ui/widgets/number_text.h"

namespace ui {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("Facts", text);
}
QString html(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())).toHtmlEscaped();
}

QString sizesText(const std::vector<std::int64_t>& sizes) {
  QStringList parts;
  for (std::int64_t size : sizes) parts << (size > 0 ? QString::number(size) : QStringLiteral("?"));
  return parts.isEmpty() ? tr("a number") : parts.join(QStringLiteral(" × "));
}

QString linksTo(const core::Graph& graph, const std::vector<core::TensorId>& tensors) {
  QStringList links;
  for (core::TensorId id : tensors)
    if (id.valid()) links << link("tensor", graph[id].name);
  return links.isEmpty() ? tr("none") : links.join(QStringLiteral("<br>"));
}

const core::Buffer* bufferOf(const core::Analysis& analysis, core::TensorId tensor) {
  if (!analysis.program) return nullptr;
  for (const core::Buffer& buffer : analysis.program->buffers)
    if (buffer.tensor == tensor) return &buffer;
  return nullptr;
}

template <class Visit>
void visitInstructions(const std::vector<core::Instruction>& list, std::int64_t times, const Visit& visit) {
  for (const core::Instruction& one : list) {
    visit(one, times);
    visitInstructions(one.body, one.kind == core::InstructionKind::repeat ? times * one.count : times, visit);
  }
}

QString collectiveLine(const core::Analysis& analysis, const core::Instruction& one, std::int64_t times) {
  QString text =
      QStringLiteral("%1 %2 %3")
          .arg(link("instruction", one.name), tr("over"), axesText(analysis.program->mesh, one.collective.axes));
  return times > 1 ? text + QStringLiteral(" ×%1").arg(times) : text;
}

// Collectives that move a buffer of the tensor.
QStringList collectivesOf(const core::Analysis& analysis, core::TensorId tensor) {
  QStringList lines;
  if (!analysis.program) return lines;
  const core::Program& program = *analysis.program;
  auto moves = [&](core::BufferId id) { return id.valid() && program.buffers[id.index()].tensor == tensor; };
  visitInstructions(program.instructions, 1, [&](const core::Instruction& one, std::int64_t times) {
    if (one.kind != core::InstructionKind::start) return;
    if (std::any_of(one.inputs.begin(), one.inputs.end(), moves) ||
        std::any_of(one.outputs.begin(), one.outputs.end(), moves))
      lines << collectiveLine(analysis, one, times);
  });
  return lines;
}

QString costText(const core::Analysis& analysis, const core::Instruction& one) {
  if (!analysis.cost || analysis.cost->devices.empty()) return {};
  for (const core::PricedInstruction& priced : analysis.cost->devices.front().instructions) {
    if (priced.instruction != &one) continue;
    QStringList parts;
    if (priced.cost.flops > 0) parts << flopsText(double(priced.cost.flops));
    if (priced.cost.bytesIn + priced.cost.bytesOut > 0)
      parts << tr("%1 in, %2 out").arg(bytesText(priced.cost.bytesIn), bytesText(priced.cost.bytesOut));
    if (priced.cost.seconds) parts << secondsText(*priced.cost.seconds);
    return parts.join(QStringLiteral(", "));
  }
  return {};
}

}  // namespace

QString link(const char* kind, const std::string& name) {
  QString text = html(name);
  return QStringLiteral("<a href=\"%1:%2\">%2</a>").arg(QLatin1String(kind), text);
}

QString factRow(const QString& name, const QString& value) {
  if (value.isEmpty()) return {};
  return QStringLiteral("<tr><td style='padding-right:12px'><span style='color:gray'>%1</span></td><td>%2</td></tr>")
      .arg(name, value);
}

QString factTable(const QString& rows) {
  return QStringLiteral("<table cellspacing='2'>%1</table>").arg(rows);
}

QString tensorFacts(const core::Analysis& analysis, const core::Graph& graph, const std::string& name) {
  std::optional<core::TensorId> id = graph.findTensor(name);
  if (!id) return tr("This tensor is not in the graph.");
  const core::Tensor& tensor = graph[*id];
  QString kind = html(core::toString(tensor.kind == core::TensorKind::state ? core::TensorKind::state : tensor.kind));
  if (tensor.kind == core::TensorKind::state) kind = html(core::toString(tensor.state));
  QString rows = factRow(tr("Kind"), QStringLiteral("%1, %2").arg(kind, html(core::toString(tensor.dtype))));
  rows += factRow(tr("Shape"), sizesText(graph.sizes(*id)));
  if (const core::Buffer* buffer = bufferOf(analysis, *id)) {
    rows += factRow(tr("On a device"),
                    QStringLiteral("%1, %2 of %3")
                        .arg(sizesText(buffer->localShape), bytesText(buffer->bytes), bytesText(graph.bytes(*id))));
    const core::Sharding& sharding = buffer->placement.sharding;
    QStringList partial;
    for (std::size_t axis = 0; axis < analysis.program->mesh.axes.size(); ++axis)
      if (sharding.partial.contains(static_cast<core::AxisId>(axis)))
        partial << html(analysis.program->mesh.axes[axis].name);
    if (!partial.isEmpty())
      rows +=
          factRow(tr("Partial"),
                  tr("%1 over %2").arg(html(core::toString(sharding.reduction)), partial.join(QStringLiteral(", "))));
  } else {
    rows += factRow(tr("Whole"), bytesText(graph.bytes(*id)));
  }
  if (tensor.producer.valid()) rows += factRow(tr("Made by"), link("op", graph[tensor.producer].name));
  QStringList moved = collectivesOf(analysis, *id);
  if (moved.size() > 6) moved = moved.mid(0, 6) << tr("and more");
  rows +=
      factRow(tr("Collectives"), moved.isEmpty() && analysis.program ? tr("none") : moved.join(QStringLiteral("<br>")));
  return factTable(rows);
}

QString tensorReason(const core::Analysis& analysis, const std::string& name) {
  if (!analysis.step) return {};
  std::optional<core::TensorId> id = analysis.step->findTensor(name);
  if (!id || id->index() >= analysis.layouts.size()) return {};
  const core::TensorLayout layout = analysis.layouts[id->index()];
  QStringList parts;
  const core::Shape& shape = (*analysis.step)[*id].shape;
  for (std::size_t d = 0; d < shape.size() && d < layout.origins.size(); ++d)
    if (layout.origins[d] != core::Origin::replicated)
      parts << QStringLiteral("<b>%1</b>: %2")
                   .arg(html((*analysis.step)[shape[d]].name), html(core::toString(layout.origins[d])));
  QString text = html(layout.reason);
  return parts.isEmpty()
             ? text
             : text + (text.isEmpty() ? QString() : QStringLiteral("<br>")) + parts.join(QStringLiteral(" · "));
}

QString operatorFacts(const core::Analysis& analysis, const core::Graph& graph, const std::string& name) {
  auto found = std::find_if(graph.operators.begin(), graph.operators.end(),
                            [&](const core::Operator& op) { return op.name == name; });
  if (found == graph.operators.end()) return tr("This operator is not in the graph.");
  QString rows = factRow(tr("Kind"), html(found->kind));
  rows += factRow(tr("Reads"), linksTo(graph, found->inputs));
  rows += factRow(tr("Makes"), linksTo(graph, found->outputs));
  if (analysis.program) {
    QStringList lines;
    visitInstructions(analysis.program->instructions, 1, [&](const core::Instruction& one, std::int64_t) {
      if (one.origin != name || lines.size() > 8) return;
      QString cost = costText(analysis, one);
      lines << (cost.isEmpty() ? link("instruction", one.name)
                               : QStringLiteral("%1: %2").arg(link("instruction", one.name), cost));
    });
    rows += factRow(tr("Instructions"), lines.join(QStringLiteral("<br>")));
  }
  return factTable(rows);
}

QString dimensionFacts(const core::Graph& graph, const core::Layout& layout, const std::string& name) {
  std::optional<core::DimId> dim = graph.findDim(name);
  if (!dim) return tr("This dimension is not in the graph.");
  QStringList parameters, values;
  for (const core::Tensor& tensor : graph.tensors)
    if (std::find(tensor.shape.begin(), tensor.shape.end(), *dim) != tensor.shape.end())
      (tensor.kind == core::TensorKind::value ? values : parameters) << link("tensor", tensor.name);
  auto some = [](const QStringList& all) {
    constexpr int most = 12;
    return all.size() <= most
               ? all.join(QStringLiteral("<br>"))
               : all.mid(0, most).join(QStringLiteral("<br>")) + tr("<br>and %1 more").arg(all.size() - most);
  };
  QStringList axes;
  for (const std::string& axis : core::ruleAxes(layout, name)) axes << link("axis", axis);
  QString rows = factRow(tr("Size"), graph.size(*dim) > 0 ? QString::number(graph.size(*dim)) : tr("not bound yet"));
  rows += factRow(tr("Split over"), axes.isEmpty() ? tr("nothing by rule") : axes.join(QStringLiteral(", ")));
  rows += factRow(tr("Stored and fed"), some(parameters));
  rows += factRow(tr("Computed"), some(values));
  return factTable(rows);
}

QString axisFacts(const core::Analysis& analysis, const core::Variant& variant, const std::string& name) {
  std::optional<core::AxisId> axis = variant.mesh.find(name);
  if (!axis) return tr("This axis is not in the mesh.");
  QStringList dimensions;
  for (const core::Rule& rule : variant.layout.rules)
    if (std::find(rule.axes.begin(), rule.axes.end(), name) != rule.axes.end())
      dimensions << link("dimension", rule.dimension);
  QString rows = factRow(tr("Size"), QString::number(variant.mesh.size(*axis)));
  rows += factRow(tr("Splits"), dimensions.isEmpty() ? tr("nothing by rule") : dimensions.join(QStringLiteral(", ")));
  if (analysis.cost && !analysis.cost->devices.empty())
    for (const core::AxisTraffic& traffic : analysis.cost->devices.front().traffic)
      if (traffic.axes.contains(*axis))
        rows += factRow(html(core::toString(traffic.kind)),
                        tr("%1 calls, %2 sent%3")
                            .arg(traffic.calls)
                            .arg(bytesText(traffic.wireBytes),
                                 traffic.seconds ? QStringLiteral(", ") + secondsText(*traffic.seconds) : QString()));
  return factTable(rows);
}

QString instructionFacts(const core::Analysis& analysis, const std::string& name) {
  QString rows;
  if (analysis.program)
    visitInstructions(analysis.program->instructions, 1, [&](const core::Instruction& one, std::int64_t times) {
      if (one.name != name || one.kind == core::InstructionKind::wait) return;
      rows = factRow(tr("Kind"), one.kind == core::InstructionKind::start
                                     ? html(core::toString(one.collective.kind))
                                     : html(one.op.empty() ? core::toString(one.kind) : std::string_view(one.op)));
      if (one.kind == core::InstructionKind::start)
        rows += factRow(tr("Over"), axesText(analysis.program->mesh, one.collective.axes).toHtmlEscaped());
      if (times > 1) rows += factRow(tr("A step"), tr("%1 times").arg(times));
      rows += factRow(tr("Cost"), costText(analysis, one));
      if (!one.origin.empty()) rows += factRow(tr("From"), link("op", one.origin));
      QStringList moved;
      for (core::BufferId id : one.inputs)
        if (id.valid() && moved.size() < 12) moved << html(analysis.program->buffers[id.index()].name);
      rows += factRow(tr("Reads"), moved.join(QStringLiteral("<br>")));
      rows += factRow(tr("Why"), html(one.reason));
    });
  return rows.isEmpty() ? tr("The program has no such instruction now.") : factTable(rows);
}

QString scopeFacts(const core::Graph& graph, const std::string& scope) {
  std::map<std::string, int> kinds;
  int operators = 0;
  for (const core::Operator& op : graph.operators) {
    std::string_view at = core::scopeOf(op.name);
    bool within =
        at == scope || (at.size() > scope.size() && at.substr(0, scope.size()) == scope && at[scope.size()] == '/');
    if (within) ++kinds[op.kind], ++operators;
  }
  QStringList lines;
  for (const auto& [kind, count] : kinds) lines << QStringLiteral("%1 ×%2").arg(html(kind)).arg(count);
  return factTable((operators ? factRow(tr("Operators"), QString::number(operators)) : QString()) +
                   factRow(tr("Of these"), lines.join(QStringLiteral(", "))));
}

QString modelFacts(const core::Plan& plan) {
  const core::Graph& graph = *plan.graph;
  QString rows = factRow(tr("Parameters"), countText(double(graph.parameterCount())));
  rows += factRow(tr("Operators"), QString::number(graph.operators.size()));
  rows += factRow(tr("Dimensions"), QString::number(graph.dims.size()));
  rows += factRow(tr("Inputs"), linksTo(graph, graph.inputs()));
  rows += factRow(tr("Outputs"), linksTo(graph, graph.outputs));
  rows += factRow(tr("From"), html(plan.origin));
  return factTable(rows);
}

}  // namespace ui
