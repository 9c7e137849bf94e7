#include "ui/panels/outline_panel.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QSortFilterProxyModel>
#include <QTreeView>
#include <QVBoxLayout>

#include "ui/models/outline_model.h"
#include "ui/session/session.h"

namespace ui {

OutlinePanel::OutlinePanel(Session& session)
    : session_(session),
      model_(new OutlineModel(this)),
      filtered_(new QSortFilterProxyModel(this)),
      filter_(new QLineEdit),
      tree_(new QTreeView) {
  setObjectName("outlinePanel");
  setAccessibleName(tr("Outline"));
  filter_->setObjectName("outlineFilter");
  filter_->setAccessibleName(tr("Filter the outline"));
  filter_->setPlaceholderText(tr("Filter"));
  filter_->setClearButtonEnabled(true);
  filtered_->setSourceModel(model_);
  filtered_->setRecursiveFilteringEnabled(true);
  filtered_->setFilterCaseSensitivity(Qt::CaseInsensitive);
  tree_->setObjectName("outlineTree");
  tree_->setAccessibleName(tr("Outline of the graph"));
  tree_->setModel(filtered_);
  tree_->setUniformRowHeights(true);
  tree_->setIndentation(14);
  tree_->header()->setToolTip(tr("Memory: of a device"));
  tree_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  tree_->header()->setStretchLastSection(false);
  tree_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  tree_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(6, 6, 6, 0);
  column->setSpacing(6);
  column->addWidget(filter_);
  column->addWidget(tree_);

  connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
    filtered_->setFilterFixedString(text);
    if (!text.isEmpty()) tree_->expandToDepth(3);
  });
  connect(tree_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &OutlinePanel::takeSelection);
  connect(&session_, &Session::sceneChanged, this, &OutlinePanel::showScene);
  connect(&session_, &Session::selectionChanged, this, &OutlinePanel::showSelection);
  showScene();
}

void OutlinePanel::showScene() {
  QScopedValueRollback guard(ours_, true);
  bool rebuilt = model_->setScene(session_.scene());
  if (!rebuilt) return;
  showSelection();
}

void OutlinePanel::showSelection() {
  if (ours_ && tree_->selectionModel()->hasSelection()) return;
  QScopedValueRollback guard(ours_, true);
  tree_->clearSelection();
  for (const QString& name : session_.selection().names) {
    QModelIndex found = filtered_->mapFromSource(model_->find(session_.selection().kind, name));
    if (!found.isValid()) continue;
    tree_->selectionModel()->select(found, QItemSelectionModel::Select | QItemSelectionModel::Rows);
    tree_->selectionModel()->setCurrentIndex(found, QItemSelectionModel::NoUpdate);
    tree_->scrollTo(found);
  }
}

void OutlinePanel::takeSelection() {
  if (ours_) return;
  QScopedValueRollback guard(ours_, true);
  Selection selection;
  for (const QModelIndex& row : tree_->selectionModel()->selectedRows()) {
    Selection one = model_->selectionAt(filtered_->mapToSource(row));
    if (selection.kind == Selection::Kind::none) selection.kind = one.kind;
    if (one.kind == selection.kind) selection.names += one.names;
  }
  session_.select(selection);
}

}  // namespace ui
