#include "ui/panels/measured_panel.h"

#include <QHeaderView>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "ui/models/run_rows.h"
#include "ui/panels/parts/section.h"
#include "ui/session/session.h"

namespace ui {

constexpr std::size_t mostRows = 500;

MeasuredPanel::MeasuredPanel(Session& session)
    : session_(session), note_(mutedLabel(QString(), "measuredNote")), rows_(new QTreeWidget) {
  setObjectName("measuredPanel");
  setAccessibleName(tr("Measured"));
  rows_->setObjectName("measuredRows");
  rows_->setAccessibleName(tr("Predicted beside measured, by instruction"));
  rows_->setRootIsDecorated(false);
  rows_->setUniformRowHeights(true);
  rows_->setAlternatingRowColors(true);
  rows_->setHeaderLabels(
      {tr("Instruction"), tr("Rank"), tr("Predicted"), tr("Measured"), tr("Work"), tr("Payload in"), tr("Counts")});
  rows_->header()->setStretchLastSection(false);
  rows_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  rows_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 6, 8, 0);
  column->addWidget(note_);
  column->addWidget(rows_, 1);
  connect(rows_, &QTreeWidget::itemSelectionChanged, this, [this] {
    if (!rows_->selectedItems().isEmpty())
      session_.select({Selection::Kind::instruction, {rows_->selectedItems().first()->text(0)}});
  });
  connect(&session_.run(), &RunWatch::comparisonChanged, this, &MeasuredPanel::refresh);
  connect(&session_.run(), &RunWatch::opened, this, &MeasuredPanel::refresh);
  refresh();
}

void MeasuredPanel::refresh() {
  rows_->clear();
  const RunComparisonRef& found = session_.run().comparison();
  rows_->setVisible(found != nullptr);
  note_->setText(
      found
          ? tr("The slowest instructions, seconds of a step. Counts are exact when work and payload are as predicted.")
          : tr("When a run is over, what was predicted stands here beside what was counted and measured."));
  if (!found) return;
  for (const QStringList& cells : measuredRows(*found, mostRows)) {
    auto* row = new QTreeWidgetItem(rows_, cells);
    for (int column = 1; column < cells.size(); ++column)
      row->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
  }
}

}  // namespace ui
