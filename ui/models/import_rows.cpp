#include "ui/models/import_rows.h"

#include <QCoreApplication>
#include <QStringList>

#include "ui/models/facts.h"
#include "ui/widgets/number_text.h"

namespace ui {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("Import", text);
}
QString html(const std::string& text) {
  return QString::fromStdString(text).toHtmlEscaped();
}

QString kindsText(const std::vector<core::ImportReport::Operators>& kinds) {
  constexpr std::size_t most = 8;
  QStringList parts;
  for (std::size_t i = 0; i < kinds.size() && i < most; ++i)
    parts << QStringLiteral("%1 ×%2").arg(html(kinds[i].type)).arg(kinds[i].count);
  if (kinds.size() > most) parts << tr("and %1 more kinds").arg(kinds.size() - most);
  return parts.join(QStringLiteral(", "));
}

void addSome(QStringList& lines, const QString& heading, const QStringList& all) {
  constexpr int most = 6;
  if (all.isEmpty()) return;
  QString text = all.mid(0, most).join(QStringLiteral("<br>&nbsp;&nbsp;"));
  if (all.size() > most) text += QStringLiteral("<br>&nbsp;&nbsp;") + tr("and %1 more").arg(all.size() - most);
  lines << QStringLiteral("<b>%1</b><br>&nbsp;&nbsp;%2").arg(heading, text);
}

}  // namespace

QString importSummary(const core::ImportReport& report) {
  QString format = html(report.format);
  if (report.opset > 0) format += tr(", opset %1").arg(report.opset);
  if (!report.producer.empty()) format += tr(", made by %1").arg(html(report.producer));
  QString rows = factRow(tr("Format"), format);
  rows += factRow(tr("Operators"), report.fileOperators > 0 ? tr("%1 in the file, %2 in the graph").arg(report.fileOperators).arg(report.operators) : QString::number(report.operators));
  rows += factRow(tr("Parameters"), countText(double(report.parameters)));
  if (report.repeat)
    rows += factRow(tr("Blocks"),
                    tr("%1 equal blocks found: %2").arg(report.repeat->count).arg(html(report.repeat->scope)));
  if (!report.kinds.empty()) rows += factRow(tr("Of these"), kindsText(report.kinds));
  QStringList symbols;
  for (const core::ImportReport::Symbol& symbol : report.symbols)
    if (symbol.size > 0)
      symbols << QStringLiteral("%1 = %2 (%3)").arg(html(symbol.name)).arg(symbol.size).arg(html(symbol.reason));
  rows += factRow(tr("Sizes"), symbols.join(QStringLiteral(", ")));
  return factTable(rows);
}

QString importWarnings(const core::ImportReport& report) {
  QStringList lines, unknown, deciding, missing, lost, notes;
  for (const auto& one : report.unknown)
    unknown << QStringLiteral("%1 ×%2: %3").arg(html(one.type)).arg(one.count).arg(html(one.reason));
  for (const std::string& one : report.deciding) deciding << html(one);
  for (const auto& one : report.missing) missing << QStringLiteral("%1 (%2)").arg(html(one.tensor), html(one.file));
  for (const auto& one : report.lost) lost << tr("axis %1 of %2").arg(one.axis).arg(html(one.tensor));
  for (const std::string& note : report.notes) notes << html(note);
  addSome(lines, tr("Operators that the catalogue lacks: shown and priced, refuse to run"), unknown);
  addSome(lines, tr("Inputs that decide sizes or axes: the command line's import takes their values"), deciding);
  addSome(lines, tr("Weights that are not there: initial values are drawn instead"), missing);
  addSome(lines, tr("Axes of size 1 carry no dimension"), lost);
  addSome(lines, tr("Notes"), notes);
  return lines.join(QStringLiteral("<br>"));
}

}  // namespace ui
