#include "ui/panels/compare_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QListWidget>
#include <QPushButton>
#include <QSplitter>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "core/plan/edit/layout.h"
#include "core/plan/edit/variants.h"
#include "ui/models/estimate_rows.h"
#include "ui/models/variant_difference.h"
#include "ui/panels/parts/section.h"
#include "ui/theme/theme.h"
#include "ui/widgets/memory_bar.h"

namespace ui {

ComparePanel::ComparePanel(Session& session)
    : session_(session),
      other_(new QComboBox),
      duplicate_(new QPushButton(tr("Duplicate this variant"))),
      figures_(new QTreeWidget),
      bar_(new MemoryBar),
      choices_(new QListWidget),
      take_(new QPushButton(tr("Take over"))),
      note_(mutedLabel(QString(), "compareNote")) {
  setObjectName("comparePanel");
  setAccessibleName(tr("Compare"));
  auto* split = new QSplitter(Qt::Horizontal);
  split->setObjectName("compareSplit");
  split->setAccessibleName(tr("Figures and choices"));
  split->addWidget(makeFigures());
  split->addWidget(makeChoices());
  split->setStretchFactor(0, 3);
  split->setStretchFactor(1, 2);
  split->setChildrenCollapsible(false);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(split);
  connect(other_, &QComboBox::activated, this, &ComparePanel::request);
  connect(duplicate_, &QPushButton::clicked, this, [this] {
    session_.apply(tr("Duplicate variant"),
                   [](core::Plan plan) { return core::duplicateVariant(std::move(plan), plan.current); });
  });
  connect(take_, &QPushButton::clicked, this, &ComparePanel::takeOver);
  connect(&session_, &Session::analysisChanged, this, [this] {
    refreshVariants();
    request();
  });
  refreshVariants();
}

QWidget* ComparePanel::makeFigures() {
  other_->setObjectName("compareWith");
  other_->setAccessibleName(tr("Compare with variant"));
  duplicate_->setObjectName("compareDuplicate");
  duplicate_->setAccessibleName(duplicate_->text());
  figures_->setObjectName("compareFigures");
  figures_->setAccessibleName(tr("Figures of both variants"));
  figures_->setRootIsDecorated(false);
  figures_->setUniformRowHeights(true);
  figures_->setAlternatingRowColors(true);
  figures_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  auto* content = new QWidget;
  content->setObjectName("compareLeft");
  content->setAccessibleName(tr("Figures"));
  auto* column = panelColumn(content);
  auto* row = new QHBoxLayout;
  QLabel* label = mutedLabel(tr("Baseline"), "compareBaseline");
  label->setWordWrap(false);
  row->addWidget(label);
  row->addWidget(other_);
  row->addWidget(duplicate_);
  row->addStretch();
  column->addLayout(row);
  column->addWidget(figures_, 1);
  column->addWidget(note_);
  return content;
}

QWidget* ComparePanel::makeChoices() {
  bar_->setObjectName("compareBars");
  bar_->setAccessibleName(tr("Memory of both variants"));
  choices_->setObjectName("compareChoices");
  choices_->setAccessibleName(tr("What is chosen differently"));
  choices_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  take_->setObjectName("compareTake");
  take_->setAccessibleName(tr("Take the chosen differences over into the current variant"));
  auto* content = new QWidget;
  content->setObjectName("compareRight");
  content->setAccessibleName(tr("Memory and choices"));
  auto* column = panelColumn(content);
  column->addWidget(bar_);
  column->addWidget(sectionHeading(tr("Chosen differently"), "compareChoicesHeading"));
  column->addWidget(choices_, 1);
  column->addWidget(take_, 0, Qt::AlignLeft);
  return content;
}

void ComparePanel::refreshVariants() {
  setEnabled(session_.isOpen());
  QString kept = other_->currentText();
  other_->clear();
  if (!session_.isOpen()) return;
  const core::Plan& plan = session_.document().plan();
  for (std::size_t i = 0; i < plan.variants.size(); ++i)
    if (i != plan.current)
      other_->addItem(QString::fromStdString(plan.variants[i].name), QVariant::fromValue(static_cast<qulonglong>(i)));
  int index = other_->findText(kept);
  other_->setCurrentIndex(index < 0 ? 0 : index);
  other_->setEnabled(other_->count() > 0);
}

void ComparePanel::request() {
  found_.reset();
  if (!session_.isOpen() || other_->count() == 0) return show();
  index_ = static_cast<std::size_t>(other_->currentData().toULongLong());
  session_.analyzeVariant(index_, [this](AnalysisRef found) {
    found_ = std::move(found);
    show();
  });
}

void ComparePanel::show() {
  figures_->clear();
  choices_->clear();
  bar_->setData({});
  take_->setEnabled(false);
  note_->setText(found_ ? QString() : tr("There is one variant. Duplicate it, change the copy, and see both here."));
  note_->setVisible(!found_);
  if (!found_) return;
  showFigures();
  showChoices();
}

void ComparePanel::showFigures() {
  // The current variant may not have its first answer yet; it is shown when that comes.
  const bool answered = found_->cost || !found_->diagnostics.empty();
  if (!answered || (!session_.analysis().cost && session_.analysis().diagnostics.empty())) return;
  const core::Plan& plan = session_.document().plan();
  QString was = QString::fromStdString(plan.variants[index_].name), is = QString::fromStdString(plan.variant().name);
  figures_->setHeaderLabels({QString(), was, tr("%1 (current)").arg(is), tr("Difference"), QString()});
  Figures before = figuresOf(*found_), after = figuresOf(session_.analysis());
  for (const QString& why : {refusalText(before), refusalText(after)})
    if (!why.isEmpty()) {
      note_->setText(why);
      note_->show();
    }
  if (!before.legal() || !after.legal()) return;
  for (const FigureLine& line : compareFigures(before, after)) {
    auto* row = new QTreeWidgetItem(
        figures_, {line.name, line.before, line.after,
                   QStringLiteral("%1 %2").arg(arrowText(line), line.delta).trimmed(), judgementText(line.judgement)});
    for (int column = 1; column < 4; ++column) row->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    QColor colour = line.judgement == Judgement::better  ? theme().good
                    : line.judgement == Judgement::worse ? theme().warning
                                                         : theme().muted;
    for (int column : {3, 4}) row->setForeground(column, colour);
  }
  MemoryBarData bars{.capacity = session_.analysis().cost->memoryLimit};
  bars.rows = {memoryRow(found_->cost->devices.front(), was), memoryRow(session_.analysis().cost->devices.front(), is)};
  bar_->setData(bars);
}

void ComparePanel::showChoices() {
  const core::Plan& plan = session_.document().plan();
  for (const VariantDifference& one : differences(plan.variants[index_], plan.variant())) {
    auto* item = new QListWidgetItem(one.text, choices_);
    item->setToolTip(one.text);
  }
  take_->setEnabled(choices_->count() > 0);
}

// What is selected in the list, or all of it, as the baseline has it: one edit.
void ComparePanel::takeOver() {
  const core::Plan& plan = session_.document().plan();
  std::vector<VariantDifference> all = differences(plan.variants[index_], plan.variant()), chosen;
  for (int i = 0; i < choices_->count() && i < static_cast<int>(all.size()); ++i)
    if (choices_->item(i)->isSelected() || choices_->selectedItems().isEmpty())
      chosen.push_back(all[static_cast<std::size_t>(i)]);
  QString name =
      chosen.size() == 1 ? tr("Take over %1").arg(chosen.front().text) : tr("Take over %1 choices").arg(chosen.size());
  session_.apply(name, [chosen](core::Plan plan) {
    for (const VariantDifference& one : chosen) plan = one.takeOver(std::move(plan));
    return plan;
  });
}

}  // namespace ui
