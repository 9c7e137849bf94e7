#include "ui/graph_layout/dot_text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <algorithm>
#include <map>

#include "ui/graph_layout/layering.h"

namespace ui {

namespace {

constexpr double pointsPerInch = 72;

void sameRow(QByteArray& text, const LevelGraph& graph, LevelEnd end, const char* rank) {
  QByteArray members;
  for (std::size_t b = 0; b < graph.boxes.size(); ++b)
    if (graph.end(b) == end) members += " n" + QByteArray::number(static_cast<qlonglong>(b)) + ";";
  if (!members.isEmpty()) text += QByteArray("{ rank=") + rank + ";" + members + " }\n";
}

std::optional<LevelPlacement> placementOf(const QByteArray& line, const LevelGraph& level) {
  QJsonObject object = QJsonDocument::fromJson(line).object();
  QJsonArray nodes = object.value(QLatin1String("nodes")).toArray();
  if (static_cast<std::size_t>(nodes.size()) != level.boxes.size()) return {};
  LevelPlacement placement;
  placement.boxes.resize(level.boxes.size());
  placement.rows.assign(level.boxes.size(), 0);
  std::vector<double> centres(level.boxes.size(), 0);
  std::map<int, int> rows;  // half points downward -> row
  for (const QJsonValue& node : nodes) {
    bool good = false;
    auto b = static_cast<std::size_t>(node[QLatin1String("name")].toString().mid(1).toULongLong(&good));
    if (!good || b >= level.boxes.size()) return {};
    centres[b] = node[QLatin1String("y")].toDouble();
    placement.boxes[b] = {node[QLatin1String("x")].toDouble() - level.boxes[b].width() / 2, 0};
    rows[qRound(centres[b] * 2)] = 0;
  }
  int next = 0, last = -1000;
  for (auto& [y, row] : rows) {
    if (y - last > 4 && last > -1000) ++next;  // rounding puts one rank on neighbouring half points
    row = next;
    last = y;
  }
  for (std::size_t b = 0; b < centres.size(); ++b) placement.rows[b] = rows.at(qRound(centres[b] * 2));
  return placement;
}

}  // namespace

QByteArray dotText(const LevelGraph& graph) {
  Layering layering = layeringOf(graph);
  const int longest = graph.boxes.size() <= 60 ? 12 : 4;
  QByteArray text = "digraph level {\nrankdir=TB; nodesep=" + QByteArray::number(graph.columnGap / pointsPerInch) +
                    "; ranksep=" + QByteArray::number(graph.rowGap / pointsPerInch) +
                    ";\nnode [shape=box, fixedsize=true, label=\"\"];\n";
  for (std::size_t b = 0; b < graph.boxes.size(); ++b)
    text += "n" + QByteArray::number(static_cast<qlonglong>(b)) +
            " [width=" + QByteArray::number(std::max(1.0, graph.boxes[b].width()) / pointsPerInch) +
            ", height=" + QByteArray::number(std::max(1.0, graph.boxes[b].height()) / pointsPerInch) + "];\n";
  sameRow(text, graph, LevelEnd::top, "source");
  sameRow(text, graph, LevelEnd::bottom, "sink");
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const LevelEdge& edge = graph.edges[e];
    int span = layering.rows[static_cast<std::size_t>(edge.to)] - layering.rows[static_cast<std::size_t>(edge.from)];
    if (!layering.forward[e] || span > longest) continue;
    text += "n" + QByteArray::number(edge.from) + " -> n" + QByteArray::number(edge.to);
    if (edge.weight != 1) text += " [weight=" + QByteArray::number(edge.weight) + "]";
    text += ";\n";
  }
  return text + "}\n";
}

std::optional<std::vector<LevelPlacement>> readReply(const QByteArray& reply, const std::vector<LevelGraph>& levels) {
  QList<QByteArray> lines = reply.trimmed().split('\n');
  if (static_cast<std::size_t>(lines.size()) != levels.size()) return {};
  std::vector<LevelPlacement> all;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    auto placement = placementOf(lines[static_cast<qsizetype>(i)], levels[i]);
    if (!placement) return {};
    all.push_back(std::move(*placement));
  }
  return all;
}

}  // namespace ui
