#include "ui/panels/problems_panel.h"

#include <QHeaderView>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "ui/session/session.h"
#include "ui/theme/icon.h"

namespace ui {
namespace {

using Severity = core::Diagnostic::Severity;

QString severityText(Severity severity) {
  switch (severity) {
    case Severity::error:
      return ProblemsPanel::tr("Error");
    case Severity::warning:
      return ProblemsPanel::tr("Warning");
    case Severity::note:
      break;
  }
  return ProblemsPanel::tr("Note");
}

const char* severityIcon(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::note:
      break;
  }
  return "help";
}

}  // namespace

Selection selectionOf(const Session& session, const std::string& place) {
  constexpr std::string_view rule = "rule ";  // "rule batch" is about the dimension
  std::string where = place.rfind(rule, 0) == 0 ? place.substr(rule.size()) : place;
  if (!session.isOpen() || where.empty()) return {};
  const core::Graph& graph = *session.document().plan().graph;
  QString name = QString::fromStdString(where);
  if (graph.findTensor(where)) return {Selection::Kind::tensor, {name}};
  if (graph.findDim(where)) return {Selection::Kind::dimension, {name}};
  if (session.document().plan().variant().mesh.find(where)) return {Selection::Kind::axis, {name}};
  for (const core::Operator& op : graph.operators) {
    if (op.name == where) return {Selection::Kind::op, {name}};
    if (core::scopeOf(op.name) == where) return {Selection::Kind::scope, {name}};
  }
  return {};
}

ProblemsPanel::ProblemsPanel(Session& session) : session_(session), rows_(new QTreeWidget) {
  setObjectName("problemsPanel");
  setAccessibleName(tr("Problems"));
  rows_->setObjectName("problemsList");
  rows_->setAccessibleName(tr("Problems of the plan"));
  rows_->setRootIsDecorated(false);
  rows_->setUniformRowHeights(true);
  rows_->setAlternatingRowColors(true);
  rows_->setHeaderLabels({tr("Kind"), tr("What"), tr("Where"), tr("What would be right")});
  rows_->header()->setSectionResizeMode(1, QHeaderView::Stretch);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(rows_);
  connect(rows_, &QTreeWidget::itemSelectionChanged, this, &ProblemsPanel::go);
  connect(&session_, &Session::analysisChanged, this, &ProblemsPanel::refresh);
  refresh();
}

void ProblemsPanel::refresh() {
  rows_->clear();
  if (!session_.isOpen()) return;
  for (const core::Diagnostic& one : session_.analysis().diagnostics) addRow(one);
  for (const std::string& note : session_.analysis().notes) addRow({.what = note, .severity = Severity::note});
  for (const std::string& note : session_.document().plan().importNotes)
    addRow({.what = note, .where = session_.document().plan().origin, .severity = Severity::note});
  for (int column : {0, 2}) rows_->resizeColumnToContents(column);
  rows_->setColumnWidth(2, qMin(rows_->columnWidth(2), 260));
  rows_->setColumnWidth(3, 300);
}

void ProblemsPanel::addRow(const core::Diagnostic& diagnostic) {
  auto* row = new QTreeWidgetItem(rows_);
  row->setIcon(0, icon(severityIcon(diagnostic.severity)));
  row->setText(0, severityText(diagnostic.severity));
  row->setText(1, QString::fromStdString(diagnostic.what));
  row->setText(2, QString::fromStdString(diagnostic.where));
  row->setText(3, QString::fromStdString(diagnostic.right));
  for (int i = 1; i < 4; ++i) row->setToolTip(i, row->text(i));
}

void ProblemsPanel::go() {
  QList<QTreeWidgetItem*> chosen = rows_->selectedItems();
  if (chosen.isEmpty()) return;
  Selection place = selectionOf(session_, chosen.first()->text(2).toStdString());
  if (!place.empty()) session_.select(place);
}

}  // namespace ui
